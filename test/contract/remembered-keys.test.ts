/**
 * A process remembers an API key for some seconds for operations whose statement checks the key again. So a key that
 * may not be used any more has no effect, also while it is remembered.
 */
import test from 'ava';
import { type JsonResponse, serverForFile, startServer, type TestServer } from '../support/server/tillhook.ts';

const server = serverForFile();

/** What makes a key unusable, each with the refusal that its next call gets. */
const changes = [
  ['revoked', 'update api_key set revoked_at = now() where merchant_id = $1', 401, 'invalid_api_key'],
  ['expired', 'update api_key set expires_at = now() where merchant_id = $1', 401, 'expired_api_key'],
  ['suspended', 'update merchant set suspended_at = now() where id = $1', 403, 'merchant_suspended'],
] as const;

function create(at: TestServer, key: string, headers = {}): Promise<JsonResponse> {
  return at.request('/api/v1/payments/checkout', {
    method: 'POST',
    key,
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ email: 'ada@example.com', amount: 1 }),
  });
}

for (const [change, statement, status, code] of changes) {
  test(`a remembered key creates nothing once it is ${change}`, async (t) => {
    const { id, testKey } = await server().createMerchant();
    t.is((await create(server(), testKey)).status, 201);

    // By SQL, so that this process does not hear of the change.
    await server().database.query(statement, [id]);

    for (const headers of [{}, { 'idempotency-key': `order-${id}` }]) {
      const response = await create(server(), testKey, headers);
      t.is(response.status, status);
      t.is((await response.json()).error.code, code);
    }
    const { database } = server();
    t.is((await database.query('select from payment where merchant_id = $1', [id])).length, 1);
    t.is((await database.query('select from idempotency_key where merchant_id = $1', [id])).length, 0);
  });
}

test('a key that is revoked creates nothing in any of the processes that remember it', async (t) => {
  const first = await startServer(t, { ROLE: 'api' });
  const second = await startServer(t, { ROLE: 'api', DATABASE_URL: first.database.url });
  const { id, testKey } = await first.createMerchant();
  for (const process of [first, second]) t.is((await create(process, testKey)).status, 201);

  await first.database.query('update api_key set revoked_at = now() where merchant_id = $1', [id]);

  for (const process of [first, second]) t.is((await create(process, testKey)).status, 401);
  t.is((await first.database.query('select from payment')).length, 2);
});
