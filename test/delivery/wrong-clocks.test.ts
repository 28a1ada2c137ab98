import test, { type ExecutionContext } from 'ava';
import { createTestDatabase, type Database } from '../support/database/database.ts';
import { eventually } from '../support/eventually.ts';
import { makeDeliveriesDue, payOnce, waitForDeliveries } from '../support/receivers/deliveries.ts';
import { startReceiver } from '../support/receivers/receiver.ts';
import { figuresOf } from '../support/server/figures.ts';
import { startOwnServer, type TestServer } from '../support/server/tillhook.ts';

const SystemDate = globalThis.Date;
const hourMs = 3_600_000;
/** The delay of a retry is long, so that the retry is sent only when a test makes it due. */
const lateRetry = { DELIVERY_RETRY_DELAYS_MS: '3000000' };
/** The time limits are long, so that no attempt times out during a test. */
const patient = { DELIVERY_TIMEOUT_MS: '100000', DELIVERY_LEASE_MS: '200000' };

async function merchantWithReceiver(t: ExecutionContext, server: TestServer) {
  const receiver = await startReceiver();
  t.teardown(() => receiver.stop());
  const { client, ...merchant } = await server.createMerchant();
  const { id: webhookId } = await client.webhookEndpoints.register({ url: receiver.url });
  return { ...merchant, client, receiver, webhookId };
}

const attemptsOf = async ({ database }: TestServer) =>
  (
    await database.query<{ status: number }>(
      'select status_code as status from delivery_attempt join delivery on delivery.id = delivery_id order by delivery.id, attempt',
    )
  ).map(({ status }) => status);

test.serial(
  'when the clock of Postgres jumps an hour forward while a delivery is in flight, the delivery is recorded once',
  async (t) => {
    const clock = await databaseWithClock(t);
    const server = await startOwnServer(t, { ...patient, DATABASE_URL: clock.database.url });
    const { client, receiver } = await merchantWithReceiver(t, server);
    const answers = Promise.withResolvers<{ status: number }>();
    receiver.setAnswer(() => answers.promise);
    await payOnce(client);
    await receiver.waitFor(1);

    await clock.set('1 hour');
    const claimed = `select from pending_delivery where held_until > pg_catalog.now() + interval '1 hour'`;
    await eventually(async () => (await clock.database.query(claimed)).length, 1);
    answers.resolve({ status: 200 });

    await waitForDeliveries(client);
    t.is(receiver.deliveries.length, 1);
    t.deepEqual(await attemptsOf({ ...server, database: clock.database }), [200]);
  },
);

test.serial(
  'when the clock of Postgres jumps an hour back, new deliveries are sent immediately, and waiting retries are sent later',
  async (t) => {
    const clock = await databaseWithClock(t);
    const server = await startOwnServer(t, { ...lateRetry, DATABASE_URL: clock.database.url });
    const { client, receiver, webhookId } = await merchantWithReceiver(t, server);
    receiver.setAnswer(() => ({ status: 500 }));
    await payOnce(client);
    await eventually(() => attemptsOf({ ...server, database: clock.database }), [500]);
    receiver.setAnswer();

    await clock.set('-1 hour');
    await payOnce(client);
    await receiver.waitFor(2);
    await eventually(() => attemptsOf({ ...server, database: clock.database }), [500, 200]);
    const early = `select from delivery where completed_at < pg_catalog.now() - interval '30 minutes'`;
    t.is((await clock.database.query(early)).length, 1);

    await clock.set('0');
    await makeDeliveriesDue({ ...server, database: clock.database }, webhookId);
    await waitForDeliveries(client);
    t.is(receiver.deliveries.length, 3);
    t.deepEqual(await attemptsOf({ ...server, database: clock.database }), [500, 200, 200]);
  },
);

for (const offsetMs of [hourMs, -hourMs]) {
  const direction = offsetMs > 0 ? 'forward' : 'back';

  test.serial(
    `when the clock of a process jumps an hour ${direction}, receivers refuse its signatures, and get each event later`,
    async (t) => {
      const server = await startOwnServer(t, lateRetry);
      const { client, receiver, webhookId } = await merchantWithReceiver(t, server);
      const setClock = processClock(t);
      // The receiver checks the timestamp like the SDK, but with the right time, because it runs in the process with
      // the wrong clock.
      receiver.setAnswer(({ headers }) => {
        const isRecent = Math.abs(Number(headers['webhook-timestamp']) * 1000 - rightTimeMs()) < 300_000;
        return { status: isRecent ? 200 : 400 };
      });

      setClock(offsetMs);
      await payOnce(client);
      await eventually(() => attemptsOf(server), [400]);
      setClock(0);
      await makeDeliveriesDue(server, webhookId);

      await waitForDeliveries(client);
      t.is(receiver.deliveries.length, 2);
      t.deepEqual(await attemptsOf(server), [400, 200]);
    },
  );

  test.serial(
    `when the clock of a process jumps an hour ${direction} and back, later payments have the right place in the list`,
    async (t) => {
      const server = await startOwnServer(t, { ROLE: 'api' });
      const { client, testKey } = await server.createMerchant();
      const setClock = processClock(t);
      const create = () =>
        client.checkout.create({ email: 'ada@example.com', amount: 1 }, { idempotencyKey: `of ${offsetMs}` });
      const startedAt = new Date();

      setClock(offsetMs);
      const { data: first } = await create();
      setClock(0);
      t.is((await create()).data.reference, first.reference);
      const { data: second } = await client.checkout.create({ email: 'ada@example.com', amount: 1 });

      const endedAt = new Date(Date.now() + 1);
      const listed = await client.payments.list({ from: startedAt.toISOString(), to: endedAt.toISOString() });
      t.deepEqual(
        listed.payments.map(({ reference }) => reference),
        [second.reference],
      );
      t.is(listed.total, 1);
      const all = await client.payments.list();
      t.deepEqual(all.payments.map(({ reference }) => reference).sort(), [first.reference, second.reference].sort());
      t.is((await server.request('/api/v1/me', { key: testKey })).status, 200);
    },
  );

  test.serial(`when the clock of a process jumps an hour ${direction}, its recurring jobs continue`, async (t) => {
    const server = await startOwnServer(t);
    const runs = async () => (await figuresOf(server)).get('tillhook_job_runs_total{job_name="deliver"}') ?? 0;
    await eventually(runs, (seen) => seen > 0);

    processClock(t)(offsetMs);
    const before = await runs();

    t.true((await eventually(runs, (seen) => seen > before + 2, 30_000)) > before);
  });
}

interface DatabaseClock {
  database: Database;
  set(interval: string): Promise<void>;
}

/** On each later connection, functions `now` and `clock_timestamp` of this database hide those of Postgres. */
async function databaseWithClock(t: ExecutionContext): Promise<DatabaseClock> {
  const database = await createTestDatabase();
  t.teardown(() => database.drop());
  const set = async (interval: string) => {
    // The functions are in PL/pgSQL, because Postgres does not inline it, so that prepared statements also see the
    // change.
    for (const [name, volatility] of [
      ['now', 'stable'],
      ['clock_timestamp', 'volatile'],
    ])
      await database.query(`create or replace function public.${name}() returns timestamptz ${volatility} parallel safe
        language plpgsql as $$ begin return pg_catalog.${name}() + interval '${interval}'; end $$`);
  };
  await set('0');
  await database.query(
    `alter database ${new URL(database.url).pathname.slice(1)} set search_path = public, pg_catalog`,
  );
  return { database, set };
}

/** Changes the clock and not the timers, as when the clock of a machine is set to another time. */
function processClock(t: ExecutionContext): (offsetMs: number) => void {
  t.teardown(() => {
    globalThis.Date = SystemDate;
  });
  return (offsetMs) => {
    globalThis.Date = class extends SystemDate {
      constructor(...given: unknown[]) {
        if (given.length === 0) super(SystemDate.now() + offsetMs);
        else super(...(given as [number]));
      }
      static override now(): number {
        return SystemDate.now() + offsetMs;
      }
    } as DateConstructor;
  };
}

const rightTimeMs = (): number => SystemDate.now();
