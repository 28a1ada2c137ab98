import { type ModelOperation, readContract } from '@tillhook/openapi';
import test from 'ava';
import { callOperation, headersFor } from '../support/calls/call-example.ts';
import { realInputs } from '../support/calls/real-inputs.ts';
import { startStatementCutter } from '../support/database/statement-cutter.ts';
import { eventually } from '../support/eventually.ts';
import {
  type JsonResponse,
  serverForFile,
  startServer,
  type TestMerchant,
  type TestServer,
} from '../support/server/tillhook.ts';
import { findPostgres } from '../support/shared-fixtures.ts';

const server = serverForFile();

function takesIdempotencyKey({ parameters }: ModelOperation): boolean {
  return parameters.some(({ name }) => name === 'Idempotency-Key');
}

interface Creation {
  key: string;
  idempotencyKey: string;
  body?: object;
}

const order = { email: 'ada@example.com', amount: 500_000 };

const create = (at: TestServer, creation: Creation) => post(at, '/api/v1/payments/checkout', creation);

function post(at: TestServer, path: string, { key, idempotencyKey, body = order }: Creation): Promise<JsonResponse> {
  return at.request(path, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', 'idempotency-key': idempotencyKey },
    body: JSON.stringify(body),
  });
}

test('a repeated request with the same Idempotency-Key gets the same answer and has no second effect', async (t) => {
  const { testKey, client } = await server().createMerchant();

  const first = await create(server(), { key: testKey, idempotencyKey: 'order-1042' });
  const second = await create(server(), { key: testKey, idempotencyKey: 'order-1042' });

  t.is(first.status, 201);
  t.is(second.status, 201);
  t.is(first.headers.get('idempotent-replayed'), null);
  t.is(second.headers.get('idempotent-replayed'), 'true');
  t.is(await second.text(), await first.text());
  t.is((await client.payments.list()).total, 1);
});

test('50 concurrent calls with one Idempotency-Key have one effect and get the same answer', async (t) => {
  const { testKey, client } = await server().createMerchant();
  const call = () => create(server(), { key: testKey, idempotencyKey: 'all-at-once' });

  const responses = await Promise.all(Array.from({ length: 50 }, call));

  const answers = new Set<string>();
  for (const response of responses) {
    if (response.status === 201) answers.add(await response.text());
    else {
      t.is(response.status, 409);
      t.is(response.headers.get('retry-after'), '1');
      t.is((await response.json()).error.code, 'idempotency_in_progress');
    }
  }
  t.is(answers.size, 1);
  t.deepEqual(new Set([await (await call()).text()]), answers);
  t.is((await client.payments.list()).total, 1);
});

test('422 without an effect when an Idempotency-Key is sent again with another body or to another operation', async (t) => {
  const { testKey, client } = await server().createMerchant();
  await create(server(), { key: testKey, idempotencyKey: 'reused' });

  const otherBody = await create(server(), { key: testKey, idempotencyKey: 'reused', body: { ...order, amount: 1 } });
  const otherOperation = await server().request('/api/v1/merchant-webhooks', {
    method: 'POST',
    key: testKey,
    headers: { 'content-type': 'application/json', 'idempotency-key': 'reused' },
    body: JSON.stringify({ url: 'http://127.0.0.1:4000/hooks' }),
  });

  for (const response of [otherBody, otherOperation]) {
    t.is(response.status, 422);
    t.is((await response.json()).error.code, 'idempotency_key_reused');
  }
  t.is((await client.payments.list()).total, 1);
  t.is((await client.webhookEndpoints.list()).total, 0);
});

for (const operation of readContract().model.operations.filter(takesIdempotencyKey)) {
  const call = async (merchant: TestMerchant, idempotencyKey: string) => {
    const credential = await headersFor(server(), operation, merchant);
    return callOperation(server(), operation, { headers: { ...credential, 'idempotency-key': idempotencyKey } });
  };

  test(`409 while the first call with the Idempotency-Key is still running: ${operation.id}`, async (t) => {
    const merchant = await server().createMerchant();
    const lock = `hashtextextended('${merchant.id}' || 'test' || 'busy', 0)`;
    await server().database.query(`select pg_advisory_lock(${lock})`);

    const response = await call(merchant, 'busy');

    await server().database.query(`select pg_advisory_unlock(${lock})`);
    t.is(response.status, 409);
    t.is((await response.json()).error.code, 'idempotency_in_progress');
    t.is(response.headers.get('retry-after'), '1');
  });

  test(`422 when the Idempotency-Key was already sent with another request: ${operation.id}`, async (t) => {
    const merchant = await server().createMerchant();
    const first = { key: merchant.testKey, idempotencyKey: 'reused', body: { ...order, reference: 'the-first' } };
    await create(server(), first);

    const response = await call(merchant, 'reused');

    t.is(response.status, 422);
    t.is((await response.json()).error.code, 'idempotency_key_reused');
  });
}

test('an Idempotency-Key can be used again after its request was refused', async (t) => {
  const { testKey } = await server().createMerchant();

  const refused = await create(server(), {
    key: testKey,
    idempotencyKey: 'again',
    body: { ...order, currency: 'XXQ' },
  });
  const mended = await create(server(), { key: testKey, idempotencyKey: 'again' });

  t.is(refused.status, 400);
  t.is(mended.status, 201);
  t.is(mended.headers.get('idempotent-replayed'), null);
});

test('an Idempotency-Key belongs to one merchant and one mode', async (t) => {
  const [ada, eve] = await Promise.all([server().createMerchant(), server().createMerchant()]);
  const first = await create(server(), { key: ada.testKey, idempotencyKey: 'shared' });

  const foreign = await create(server(), { key: eve.testKey, idempotencyKey: 'shared' });

  t.is(foreign.status, 201);
  t.is(foreign.headers.get('idempotent-replayed'), null);
  t.not((await foreign.json()).data.reference, (await first.json()).data.reference);
});

test('an Idempotency-Key that is empty, too long or not printable is refused', async (t) => {
  const { testKey, client } = await server().createMerchant();

  for (const idempotencyKey of ['', 'k'.repeat(256), 'ké', 'a\tb']) {
    const response = await create(server(), { key: testKey, idempotencyKey });

    t.is(response.status, 400);
    t.is((await response.json()).error.code, 'invalid_parameter');
  }
  t.is((await client.payments.list()).total, 0);
});

test('the stored answer to the registration of an endpoint is encrypted, and a repeated call gets the secret again', async (t) => {
  const { testKey } = await server().createMerchant();
  const register = () =>
    server().request('/api/v1/merchant-webhooks', {
      method: 'POST',
      key: testKey,
      headers: { 'content-type': 'application/json', 'idempotency-key': 'register-once' },
      body: JSON.stringify({ url: 'http://127.0.0.1:4000/hooks' }),
    });

  const { secret } = await (await register()).json();
  const again = await (await register()).json();

  t.is(again.secret, secret);
  const [row] = await server().database.query("select response from idempotency_key where key = 'register-once'");
  t.false(String(row?.response).includes(secret.slice(6)));
});

test('a repeated DELETE has the same status as a GET of the deleted record', async (t) => {
  const { operations } = readContract().model;
  const statuses: Record<string, number[]> = {};
  for (const { id, method, path, isInternal } of operations) {
    if (method !== 'delete' || isInternal) continue;
    t.true(operations.some((other) => other.method === 'get' && other.path === path));
    const merchant = await server().createMerchant();
    const { path: named } = await realInputs[id]({ server: server(), merchant });
    const address = path.replace('{id}', String(named?.id));
    const headers = { authorization: `Bearer ${merchant.testKey}` };
    const seen: number[] = [];
    for (const verb of ['GET', 'DELETE', 'GET', 'DELETE'])
      seen.push((await server().request(address, { method: verb, headers })).status);
    statuses[id] = seen;
  }

  t.deepEqual(statuses, { removeWebhookEndpoint: [200, 200, 404, 404], archiveProduct: [200, 200, 200, 200] });
});

/** An operation that inserts one row is a single statement, and any other operation is a transaction. */
const crashing = {
  'that inserts one payment': {
    path: '/api/v1/payments/checkout',
    bodyOf: (mark: string) => ({ email: `${mark}@example.com`, amount: 1 }),
    countOf: `select count(*)::int from payment where customer_email = $1 || '@example.com'`,
    from: [/^with usable as/],
    places: 2,
  },
  'that registers an endpoint in a transaction': {
    path: '/api/v1/merchant-webhooks',
    bodyOf: (mark: string) => ({ url: `http://127.0.0.1:4000/${mark}` }),
    countOf: `select count(*)::int from webhook_endpoint where url = 'http://127.0.0.1:4000/' || $1`,
    places: 8,
  },
};

for (const [title, { path, bodyOf, countOf, places, ...where }] of Object.entries(crashing)) {
  test(`a call ${title} has its effect once when it is repeated after a crash at any message to Postgres`, async (t) => {
    const cutter = await startStatementCutter(await findPostgres());
    const server = await startServer(t, { ROLE: 'api' }, cutter.reach);
    const { testKey: key } = await server.createMerchant();
    const cuts: string[] = [];

    for (const loss of ['statement', 'answer'] as const) {
      for (let message = 1; message <= 20; message++) {
        const mark = `${loss}-${message}`;
        const call = () => post(server, path, { key, idempotencyKey: `crash-${mark}`, body: bodyOf(mark) });
        cutter.cutAt({ message, loss, ...where });
        await call().catch(() => {});
        const cut = cutter.disarm();

        let retried = await call();
        // Postgres holds the lock of the first call until it has noticed that the connection of the call is closed.
        await eventually(async () => {
          if (retried.status !== 201) retried = await call();
          return retried.status;
        }, 201);

        t.deepEqual(await server.database.query(countOf, [mark]), [{ count: 1 }], cut);
        if (!cut) break;
        cuts.push(cut);
      }
    }

    t.true(cuts.length >= places, cuts.join('\n'));
  });
}

// A process caches an API key for some seconds only for operations whose SQL statement checks the key again.

const changes = [
  ['revoked', 'update api_key set revoked_at = now() where merchant_id = $1', 401, 'invalid_api_key'],
  ['expired', 'update api_key set expires_at = now() where merchant_id = $1', 401, 'expired_api_key'],
  ['suspended', 'update merchant set suspended_at = now() where id = $1', 403, 'merchant_suspended'],
] as const;

function createWithKey(at: TestServer, key: string, headers = {}): Promise<JsonResponse> {
  return at.request('/api/v1/payments/checkout', {
    method: 'POST',
    key,
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ email: 'ada@example.com', amount: 1 }),
  });
}

for (const [change, statement, status, code] of changes) {
  test(`a cached API key creates nothing after it is ${change}`, async (t) => {
    const { id, testKey } = await server().createMerchant();
    t.is((await createWithKey(server(), testKey)).status, 201);

    // The change is made by SQL, so that this process is not notified.
    await server().database.query(statement, [id]);

    for (const headers of [{}, { 'idempotency-key': `order-${id}` }]) {
      const response = await createWithKey(server(), testKey, headers);
      t.is(response.status, status);
      t.is((await response.json()).error.code, code);
    }
    const { database } = server();
    t.is((await database.query('select from payment where merchant_id = $1', [id])).length, 1);
    t.is((await database.query('select from idempotency_key where merchant_id = $1', [id])).length, 0);
  });
}

test('a revoked API key creates nothing in any of the processes that have cached it', async (t) => {
  const first = await startServer(t, { ROLE: 'api' });
  const second = await startServer(t, { ROLE: 'api', DATABASE_URL: first.database.url });
  const { id, testKey } = await first.createMerchant();
  for (const process of [first, second]) t.is((await createWithKey(process, testKey)).status, 201);

  await first.database.query('update api_key set revoked_at = now() where merchant_id = $1', [id]);

  for (const process of [first, second]) t.is((await createWithKey(process, testKey)).status, 401);
  t.is((await first.database.query('select from payment')).length, 2);
});
