/** `npm run packages` runs the recipes for frameworks. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { generateSecret } from '@tillhook/sdk';
import { sign, unwrap, WebhookVerificationError } from '@tillhook/sdk/webhooks';
import test, { type ExecutionContext } from 'ava';

const secret = generateSecret();
process.env.WEBHOOK_SECRET = secret;
const body = JSON.stringify({ event: 'test.event', data: { reference: 'Zoë' } }, null, 2);
const encoded = Buffer.from(body).toString('base64');
const headers: Record<string, string> = { 'content-type': 'application/json', ...(await sign(body, secret)) };

/** The module name is a variable, because the compiler of these tests does not have the types of every platform. */
const recipe = (name: string) => import(new URL(`../../sdk/recipes/${name}.ts`, import.meta.url).href);

type Send = (body: string, headers?: Record<string, string>) => Promise<number>;

async function acceptsOnlySigned(t: ExecutionContext, send: Send) {
  t.is(await send(body, headers), 204);
  t.is(await send(body.replace('Zoë', 'Ada'), headers), 400);
  t.is(await send('', headers), 400);
  t.is(await send(body, { 'content-type': 'application/json' }), 400);
}

const lowerCase = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

const sources = {
  'a function URL or an HTTP API': (text: string, sent: typeof headers) => ({
    version: '2.0',
    rawPath: '/webhooks',
    headers: sent === headers ? lowerCase : sent,
    body: text || undefined,
    isBase64Encoded: false,
  }),
  'a function URL, in base64': (text: string, sent: typeof headers) => ({
    version: '2.0',
    rawPath: '/webhooks',
    headers: sent === headers ? lowerCase : sent,
    body: Buffer.from(text).toString('base64'),
    isBase64Encoded: true,
  }),
  'a REST API': (text: string, sent: typeof headers) => ({
    resource: '/webhooks',
    httpMethod: 'POST',
    headers: sent,
    multiValueHeaders: {},
    body: text || null,
    isBase64Encoded: false,
  }),
};

for (const [source, arrivalOf] of Object.entries(sources)) {
  test(`the recipe for Lambda accepts a signed webhook from ${source}, and rejects every other webhook`, async (t) => {
    const { handler } = await recipe('lambda');

    await acceptsOnlySigned(t, async (text, sent = {}) => (await handler(arrivalOf(text, sent))).statusCode);
  });
}

test('the recipe for Workers accepts a signed webhook, and rejects every other webhook', async (t) => {
  const { default: worker } = await recipe('workers');

  await acceptsOnlySigned(t, async (text, sent = {}) => {
    const request = new Request('https://shop.example.com/webhooks', { method: 'POST', headers: sent, body: text });
    return (await worker.fetch(request, { WEBHOOK_SECRET: secret })).status;
  });
});

test('the recipe for Next, as a route, accepts a signed webhook, and rejects every other webhook', async (t) => {
  const { POST } = await recipe('next');

  await acceptsOnlySigned(t, async (text, sent = {}) => {
    const request = new Request('https://shop.example.com/webhooks', { method: 'POST', headers: sent, body: text });
    return (await POST(request)).status;
  });
});

test('the recipe for Next, as an API route without a body parser, accepts a signed webhook, and rejects every other webhook', async (t) => {
  const { default: handler, config } = await recipe('next-pages');
  t.deepEqual(config, { api: { bodyParser: false } });
  const server = createServer(handler).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  await acceptsOnlySigned(t, async (text, sent = {}) => {
    const answer = await fetch(url, { method: 'POST', headers: sent, body: text });
    await answer.arrayBuffer();
    return answer.status;
  });
});

test('unwrap rejects a body that is still base64, and the error gives this reason', async (t) => {
  for (const rawBody of [encoded, Buffer.from(encoded)]) {
    const error = await t.throwsAsync(unwrap(rawBody, headers, secret), { instanceOf: WebhookVerificationError });
    t.like(error, {
      code: 'wrong_signature',
      message: "This body is base64. Decode it first: Buffer.from(body, 'base64').",
    });
  }
  for (const rawBody of [body.replace('Zoë', 'Ada'), '{}', 'not JSON, not base64']) {
    await t.throwsAsync(unwrap(rawBody, headers, secret), { message: /^No signature matches/ });
  }
});
