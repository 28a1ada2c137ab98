// pages/api/webhooks.ts
import { buffer } from 'node:stream/consumers';
import { unwrap, WebhookVerificationError } from '@tillhook/sdk/webhooks';
import type { NextApiRequest, NextApiResponse } from 'next';

// The signature covers the bytes as they were sent, so Next must not parse them.
export const config = { api: { bodyParser: false } };

export default async function handler(request: NextApiRequest, response: NextApiResponse): Promise<void> {
  try {
    const event = await unwrap(await buffer(request), request.headers, process.env.WEBHOOK_SECRET ?? '');
    // The same event can come twice: remember the header `webhook-id`, and do nothing the second time. Leave slow
    // work to a queue, because Tillhook waits for this answer.
    if (event.event === 'checkout.success') console.log('Paid:', event.data.reference);
    response.writeHead(204).end();
  } catch (error) {
    // Next answers any other error with 500, and Tillhook sends the event again.
    if (!(error instanceof WebhookVerificationError)) throw error;
    response.writeHead(400).end(error.code);
  }
}
