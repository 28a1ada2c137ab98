import { type EventOwner, withFreshEntityManager } from '@tillhook/server/src/context.ts';
import { inTransaction } from '@tillhook/server/src/platform/database/transaction.ts';
import { publish } from '@tillhook/server/src/webhooks/queue/publish.ts';
import test from 'ava';
import { holdEvent, insertEvent } from '../support/events/held-event.ts';
import { eventually } from '../support/eventually.ts';
import { startCuttableProxy } from '../support/network/cuttable-proxy.ts';
import { payOnce } from '../support/receivers/deliveries.ts';
import { figuresOf } from '../support/server/figures.ts';
import { startServer, startServerWithContext, type TestServer } from '../support/server/tillhook.ts';
import { findPostgres } from '../support/shared-fixtures.ts';

const countHeld = ({ arrange }: TestServer) => arrange('countHeldCalls', {});
const heldCalls = (server: TestServer, count: number) => eventually(() => countHeld(server), count);

test.serial(
  '500 waiting calls hold no database connection, do not delay other calls, and are all answered by one event',
  async (t) => {
    const poolSize = 4;
    const server = await startServer(t, { ROLE: 'api', DATABASE_POOL_SIZE: String(poolSize) });
    const { client } = await server.createMerchant();
    const connections = async () => {
      const [row] = await server.database.query<{ count: number }>(
        'select count(*)::int as count from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
      );
      return row?.count ?? Number.NaN;
    };

    const answers = Array.from({ length: 500 }, () => client.events.list({ order: 'asc', wait: 25 }));
    await heldCalls(server, 500);

    // Only the query that all waiting calls share uses a connection, for a moment.
    await eventually(async () => (await figuresOf(server)).get('tillhook_database_connections{state="in_use"}'), 0);
    t.true((await connections()) <= poolSize);
    for (let count = 0; count < 20; count += 1) t.is((await client.account.get()).mode, 'test');
    t.is(await countHeld(server), 500);

    const reference = await payOnce(client);
    const pages = await Promise.all(answers);
    t.is(pages.length, 500);
    t.deepEqual(
      new Set(pages.map(({ events }) => events.map((event) => event.reference).join())),
      new Set([reference]),
    );
    t.is(await countHeld(server), 0);
  },
);

test.serial(
  'while one event wakes 300 calls, a call of another merchant does not wait for all of these calls',
  async (t) => {
    const server = await startServer(t, { ROLE: 'api', DATABASE_POOL_SIZE: '4' });
    const [busy, other] = [await server.createMerchant(), await server.createMerchant()];
    let answered = 0;
    const answers = Array.from({ length: 300 }, async () => {
      await busy.client.events.list({ order: 'asc', wait: 25 });
      answered += 1;
    });
    await heldCalls(server, 300);

    await insertEvent(t, server, { merchant: busy });
    await server.arrange('ringHeldCalls', { merchantId: busy.id, mode: 'test' });
    await other.client.events.list({ order: 'asc' });
    const answeredBefore = answered;

    await Promise.all(answers);
    t.true(answeredBefore < 150, `${answeredBefore} of 300 were answered before the other merchant`);
  },
);

test.serial('an event answers only the waiting calls of its merchant and mode', async (t) => {
  const server = await startServer(t, { ROLE: 'api' });
  const [one, other] = [await server.createMerchant(), await server.createMerchant()];
  const answers = [one.client, one.liveClient, other.client].map((client) =>
    client.events.list({ order: 'asc', wait: 25 }),
  );
  await heldCalls(server, 3);

  const id = await insertEvent(t, server, { merchant: one });

  t.deepEqual(
    (await answers[0])?.events.map((event) => event.id),
    [id],
  );
  t.is(await countHeld(server), 2);
});

test.serial('an event answers waiting calls only after the event is final', async (t) => {
  const server = await startServer(t, { ROLE: 'api' });
  const merchant = await server.createMerchant();
  const answer = merchant.client.events.list({ order: 'asc', wait: 25 });
  await heldCalls(server, 1);
  const late = await holdEvent(t, server, { merchant });
  const second = await insertEvent(t, server, { merchant });
  await server.arrange('ringHeldCalls', { merchantId: merchant.id, mode: 'test' });
  await eventually(async () => (await merchant.client.events.list()).total, 1);
  t.is(await countHeld(server), 1);

  await late.commit();

  t.is((await answer).events[0]?.id, late.id);
  // The second event may not be final yet, if a transaction of another test is open.
  const idsAfter = async () => (await merchant.client.events.list({ after: late.id })).events.map(({ id }) => id);
  t.deepEqual(await eventually(idsAfter, ({ length }) => length > 0), [second]);
});

test.serial('a waiting call ends when its client disconnects', async (t) => {
  const server = await startServer(t, { ROLE: 'api' });
  const { testKey } = await server.createMerchant();
  const leaving = new AbortController();
  const headers = { authorization: `Bearer ${testKey}` };
  const call = fetch(`${server.url}/api/v1/events?order=asc&wait=25`, { headers, signal: leaving.signal });
  await heldCalls(server, 1);

  leaving.abort();

  await t.throwsAsync(call, { name: 'AbortError' });
  // The test waits 15 seconds, because the call would end by itself after 25 seconds.
  await eventually(() => countHeld(server), 0, 15_000);
});

test.serial('when the server stops, waiting calls get an empty page and their connections are closed', async (t) => {
  const server = await startServer(t, { ROLE: 'api' });
  const { testKey } = await server.createMerchant();
  const orders = ['asc', 'desc'];
  const answers = orders.map((order) => server.request(`/api/v1/events?order=${order}&wait=25`, { key: testKey }));
  await heldCalls(server, 2);

  const stopped = server.stop();

  for (const answer of await Promise.all(answers)) {
    t.deepEqual(await answer.json(), { events: [], total: 0 });
    // A connection that the client keeps open would delay the stop.
    t.is(answer.headers.get('connection'), 'close');
  }
  await stopped;
});

test.serial(
  'the waiting calls of an event’s merchant are checked after the commit, and not after a rollback',
  async (t) => {
    const server = await startServerWithContext(t, { ROLE: 'api' });
    const { id: merchantId } = await server.createMerchant();
    const rung: EventOwner[] = [];
    const eventWaits = { ...server.context.eventWaits, ring: (owner: EventOwner) => void rung.push(owner) };
    const data = {
      reference: 'order-1',
      amount: 5,
      currency: 'NGN',
      status: 'completed',
      customerEmail: 'a@b.co',
    } as const;
    const event = { merchantId, mode: 'live', name: 'checkout.success', reference: 'order-1' } as const;
    const publishThen = (end: () => void) =>
      inTransaction({ ...withFreshEntityManager(server.context), eventWaits }, async (tx) => {
        await publish(tx, { ...event, data, occurredAt: new Date(), traceparent: null });
        t.deepEqual(rung, []);
        end();
      });

    await t.throwsAsync(
      publishThen(() => {
        throw new Error('rolled back');
      }),
    );
    t.deepEqual(rung, []);
    await publishThen(() => {});
    t.deepEqual(rung, [{ merchantId, mode: 'live' }]);
  },
);

for (const how of ['cut', 'hang'] as const) {
  const whatHappens = how === 'cut' ? 'closes its connections' : 'does not answer';
  test.serial(`a database that ${whatHappens} ends waiting calls with 503`, async (t) => {
    const proxy = await startCuttableProxy(await findPostgres());
    t.teardown(() => proxy.cut());
    const limits = { DATABASE_STATEMENT_TIMEOUT_MS: '1500', DATABASE_CONNECT_TIMEOUT_MS: '10000' };
    const server = await startServer(t, { ROLE: 'api', ...limits }, proxy.reach);
    const { testKey } = await server.createMerchant();
    const answer = server.request('/api/v1/events?order=asc&wait=25', { key: testKey });
    await heldCalls(server, 1);

    await proxy[how]();

    const response = await answer;
    t.is(response.status, 503);
    t.is((await response.json()).error.code, 'service_unavailable');
    await proxy.restore();
  });
}
