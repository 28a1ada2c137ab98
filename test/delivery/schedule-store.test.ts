/** The store of the schedule goes away and comes back, and the process keeps running. */
import { startReceiver } from '@tillhook/mock/receiver';
import { reachDatabase } from '@tillhook/server/src/database/connections.ts';
import { createLogger } from '@tillhook/server/src/kit/logger.ts';
import { startSchedule } from '@tillhook/server/src/schedule/schedule.ts';
import { openScheduleStore } from '@tillhook/server/src/schedule/schedule-store.ts';
import { StartError } from '@tillhook/server/src/start-error.ts';
import test, { type ExecutionContext } from 'ava';
import { startCuttableProxy } from '../support/database/cuttable-proxy.ts';
import { createTestDatabase } from '../support/database/database.ts';
import { freshStore, onMongodb } from '../support/database/mongodb.ts';
import { eventually } from '../support/eventually.ts';
import { payOnce } from '../support/receivers/deliveries.ts';
import { findPostgres } from '../support/run/shared.ts';
import { figuresOf } from '../support/server/figures.ts';
import { startServer, type TestServer } from '../support/server/tillhook.ts';

/** A log that calls this function at each warning. */
const listener = (onWarning: () => void) =>
  Object.assign(createLogger('silent'), { warn: onWarning }) as ReturnType<typeof createLogger>;

/** Creates a schedule with one job, and a proxy that can cut its store off. */
async function scheduleOn(t: ExecutionContext, storeUrl: string) {
  const proxy = await startCuttableProxy(new URL(storeUrl));
  t.teardown(() => proxy.cut());
  await proxy.cut();
  let runs = 0;
  let complaints = 0;
  const count = () => {
    runs += 1;
  };
  const url = proxy.reach(storeUrl);
  const log = listener(() => {
    complaints += 1;
  });
  const mongodb = storeUrl.startsWith('mongodb') && { mongodbUrl: url };
  const schedule = startSchedule({
    store: await openScheduleStore({ postgres: reachDatabase(url), ...mongodb, log }),
    log,
    jobs: [{ name: 'count', every: '1 second', lockLifetimeMs: 5000, run: count }],
  });
  t.teardown(() => schedule.stop());
  const runsAgain = async () => {
    const before = runs;
    await eventually(
      () => runs,
      (seen) => seen > before,
    );
  };
  const complains = () =>
    eventually(
      () => complaints,
      (seen) => seen > 0,
    );
  return { proxy, schedule, runsAgain, complains };
}

async function testOutage(t: ExecutionContext, storeUrl: string): Promise<void> {
  const { proxy, schedule, runsAgain, complains } = await scheduleOn(t, storeUrl);
  t.false(await schedule.isReady());
  await complains();

  await proxy.restore();
  await eventually(schedule.isReady, true);
  await runsAgain();

  await proxy.cut();
  t.false(await schedule.isReady());

  await proxy.restore();
  await eventually(schedule.isReady, true);
  await runsAgain();
}

test('a schedule on Postgres starts when its store is reachable, and continues after an outage', async (t) => {
  const database = await createTestDatabase();
  t.teardown(() => database.drop());
  await testOutage(t, database.url);
});

onMongodb('a schedule on MongoDB starts when its store is reachable, and continues after an outage', (t) =>
  testOutage(t, freshStore()),
);

async function testDeadConnections(t: ExecutionContext, storeUrl: string): Promise<void> {
  const { proxy, schedule, runsAgain } = await scheduleOn(t, storeUrl);
  await proxy.restore();
  await eventually(schedule.isReady, true);

  proxy.hang();
  t.false(await schedule.isReady());
  await proxy.restore();
  await eventually(schedule.isReady, true);
  await runsAgain();

  proxy.hang();
  t.false(await schedule.isReady());
  await schedule.stop();
}

test('a schedule on Postgres abandons dead connections, and can still be stopped', async (t) => {
  const database = await createTestDatabase();
  t.teardown(() => database.drop());
  await testDeadConnections(t, database.url);
});

onMongodb('a schedule on MongoDB abandons dead connections, and can still be stopped', (t) => {
  const storeUrl = new URL(freshStore());
  // By default its driver waits ten minutes for an answer.
  storeUrl.searchParams.set('connectTimeoutMS', '600000');
  storeUrl.searchParams.set('heartbeatFrequencyMS', '500');
  return testDeadConnections(t, storeUrl.href);
});

const status = async (server: TestServer, path: string) => (await fetch(`${server.url}${path}`)).status;
const runsOf = async (server: TestServer, job: string) =>
  (await figuresOf(server)).get(`tillhook_job_runs_total{job_name="${job}"}`) ?? 0;

onMongodb('while MongoDB is away deliveries are still retried, and /readyz reports it until it is back', async (t) => {
  const storeUrl = freshStore();
  const proxy = await startCuttableProxy(new URL(storeUrl));
  t.teardown(() => proxy.cut());
  const server = await startServer(t, { MONGODB_URL: proxy.reach(storeUrl) });
  const receiver = await startReceiver({ answer: (_delivery, index) => ({ status: index < 2 ? 503 : 200 }) });
  t.teardown(() => receiver.stop());
  const { client } = await server.createMerchant();
  await client.webhookEndpoints.register({ url: receiver.url });
  await eventually(() => status(server, '/readyz'), 200);

  await proxy.cut();
  await eventually(() => status(server, '/readyz'), 503);
  await payOnce(client);
  await receiver.waitFor(3);
  t.is(await status(server, '/healthz'), 200);
  await eventually(async () => (await figuresOf(server)).get('tillhook_reachable{dependency="schedule"}'), 0);

  await proxy.restore();
  await eventually(() => status(server, '/readyz'), 200);
  const before = await runsOf(server, 'deliver');
  await eventually(
    () => runsOf(server, 'deliver'),
    (seen) => seen > before,
  );
});

test('while the only Postgres is away the process keeps running, and its schedule continues afterwards', async (t) => {
  const proxy = await startCuttableProxy(await findPostgres());
  t.teardown(() => proxy.cut());
  const server = await startServer(t, {}, proxy.reach);
  await eventually(() => status(server, '/readyz'), 200);

  await proxy.cut();
  await eventually(() => status(server, '/readyz'), 503);
  t.is(await status(server, '/healthz'), 200);
  const away = await figuresOf(server);
  t.is(away.get('tillhook_reachable{dependency="database"}'), 0);
  t.false(away.has('delivery_due_seconds'));

  await proxy.restore();
  await eventually(() => status(server, '/readyz'), 200);
  const before = await runsOf(server, 'deliver');
  await eventually(
    () => runsOf(server, 'deliver'),
    (seen) => seen > before,
  );
});

test('the server does not start with an address that the driver of MongoDB cannot parse', async (t) => {
  const settings = { postgres: reachDatabase('postgres://nobody'), mongodbUrl: 'mongodb://one:1,two:2/db?unheardOf=1' };

  await t.throwsAsync(openScheduleStore({ ...settings, log: createLogger('silent') }), {
    instanceOf: StartError,
    message: /^MONGODB_URL cannot be used: .*unheardOf/i,
  });
});

test('a schedule refuses a job whose lock is too short for its polls, and one that is due between two polls', async (t) => {
  const log = createLogger('silent');
  const store = await openScheduleStore({ postgres: reachDatabase('postgres://nobody'), log });
  t.teardown(() => store.close());
  const start = (every: string, lockLifetimeMs: number) =>
    startSchedule({ store, log, jobs: [{ name: 'count', every, lockLifetimeMs, run: () => {} }] });

  t.throws(() => start('1 second', 2000), { message: /count ends after 2000 ms/ });
  t.throws(() => start('1 hour', 30_000), { message: /count ends after 30000 ms/ });
  t.throws(() => start('5 seconds', 60_000), { message: /count is due every 5 seconds/ });
});
