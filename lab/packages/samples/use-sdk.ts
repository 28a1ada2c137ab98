/** A program that each version of Node runs in a separate project, with the mock at the given URL. */
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { join } from 'node:path';

type Client = typeof import('@tillhook/sdk');
type Webhooks = typeof import('@tillhook/sdk/webhooks');

const baseUrl = process.argv[2] ?? '';
const load = createRequire(import.meta.url);

const entries = Object.keys(load('@tillhook/sdk/package.json').exports).filter((entry) => !entry.endsWith('.json'));
for (const entry of entries) {
  const name = `@tillhook/sdk${entry.slice(1)}`;
  const surface = surfaceOf(load(name));
  assert.deepEqual(surface, surfaceOf(await import(name)), `${name}: import and require return different exports.`);
  // When Node resolves the path of a folder, it does not read `exports`, like tools that are older than `exports`.
  const folder = join(import.meta.dirname, 'node_modules', name);
  assert.deepEqual(
    surface,
    surfaceOf(load(folder)),
    `${name}: require returns other exports when \`exports\` is not read.`,
  );
}
await callMock(await import('@tillhook/sdk'));
await callMock(load('@tillhook/sdk'));
await verifyWebhook(await import('@tillhook/sdk/webhooks'));
await verifyWebhook(load('@tillhook/sdk/webhooks'));

function surfaceOf(module: Record<string, unknown>): [string, string][] {
  const names = Object.keys(module).sort();
  assert.ok(names.length > 0, 'The entry point has no exports.');
  return names.map((name) => [name, typeof module[name]]);
}

async function callMock({ Tillhook, TillhookError }: Client): Promise<void> {
  const tillhook = new Tillhook('sk_test_mock', { baseUrl });
  const { data } = await tillhook.checkout.create({ email: 'ada@example.com', amount: 500000 });
  assert.ok(URL.canParse(data.checkoutUrl));
  await assert.rejects(
    tillhook.checkout.create({ email: 'ada@example.com', amount: -1 }),
    (error) => error instanceof TillhookError && error.status === 400,
  );
}

async function verifyWebhook({ sign, unwrap, WebhookVerificationError }: Webhooks): Promise<void> {
  const secret = `whsec_${btoa('a secret for this run')}`;
  const body = JSON.stringify({ event: 'checkout.success', data: { reference: 'order-1042' } });
  const headers = await sign(body, secret);
  assert.equal((await unwrap(body, headers, secret)).event, 'checkout.success');
  const request = new Request('http://localhost/webhooks', { method: 'POST', headers, body });
  assert.equal((await unwrap(request, secret)).event, 'checkout.success');
  await assert.rejects(unwrap(`${body} `, headers, secret), WebhookVerificationError);
  const fixed = { 'X-Service-Signature': headers['X-Service-Signature'] };
  await assert.rejects(unwrap(body, fixed, secret), WebhookVerificationError);
  assert.equal((await unwrap(body, fixed, secret, { requireTimestamp: false })).event, 'checkout.success');
}
