// Receives webhooks and verifies them. Needs @tillhook/sdk, and Node 22.18 or newer, which runs TypeScript.
//
// WEBHOOK_SECRET has the signing secret of the endpoint, or both secrets of a rotation with a comma between them.
import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { unwrap, WebhookVerificationError } from '@tillhook/sdk/webhooks';

const secrets = (process.env.WEBHOOK_SECRET ?? '').split(',');
if (!secrets.every((secret) => /^whsec_[\w+/=]{32,}$/.test(secret)))
  throw new Error('Set WEBHOOK_SECRET to the secret of the endpoint, which begins with whsec_');
// Set TILLHOOK_REQUIRE_TIMESTAMP=false only if a gateway drops the webhook-* headers: replays are then possible.
const requireTimestamp = process.env.TILLHOOK_REQUIRE_TIMESTAMP !== 'false';

const server = createServer(async (request, response) => {
  if (request.method !== 'POST' || request.url !== '/webhooks') return response.writeHead(404).end();
  try {
    // The signature covers the raw bytes of the body, so they are read before the body is parsed.
    const rawBody = await buffer(request);
    const event = await unwrap(rawBody, request.headers, secrets, { requireTimestamp });
    // The same event can arrive twice: store its webhook-id header, and ignore an id that is already stored. Put
    // slow work into a queue, because the service waits for this response.
    console.log('Verified:', event.event);
    if (event.event === 'checkout.success') console.log('Paid:', event.data.reference);
    response.writeHead(204).end();
  } catch (error) {
    const isRefused = error instanceof WebhookVerificationError;
    if (!isRefused) console.error(error);
    response.writeHead(isRefused ? 400 : 500).end();
  }
});
server.listen(Number(process.env.PORT ?? 4000));
