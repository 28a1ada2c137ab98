/** `exhaustive/mongodb.test.ts` tests MongoDB as the store of the schedule. */

import { StartError } from '@tillhook/server/src/kit/errors.ts';
import { createLogger } from '@tillhook/server/src/kit/logger.ts';
import { reachDatabase } from '@tillhook/server/src/platform/database/connection/connections.ts';
import { startSchedule } from '@tillhook/server/src/platform/schedule/schedule.ts';
import { openScheduleStore } from '@tillhook/server/src/platform/schedule/schedule-store.ts';
import test from 'ava';
import { createTestDatabase } from '../support/database/database.ts';
import { eventually } from '../support/eventually.ts';
import { payByForm } from '../support/money/hosted-page.ts';
import { startCuttableProxy } from '../support/network/cuttable-proxy.ts';
import {
  merchantWithReceiver,
  runsOf,
  status,
  testDeadConnections,
  testEveryJobRuns,
  testOutage,
  testTickDelivers,
} from '../support/schedule/schedule-tests.ts';
import { figuresOf } from '../support/server/figures.ts';
import { startServer } from '../support/server/tillhook.ts';
import { findPostgres } from '../support/shared-fixtures.ts';

test('the schedule in Postgres starts a delivery whose wake-up was lost', (t) => testTickDelivers(t, {}));

test('two processes with one schedule in Postgres run every job', (t) => testEveryJobRuns(t, {}));

test('while the schedule’s store is unreachable, everything else works, and /readyz reports the outage', async (t) => {
  const server = await startServer(t, { MONGODB_URL: 'mongodb://127.0.0.1:1/none?serverSelectionTimeoutMS=200' });
  const { receiver, client } = await merchantWithReceiver(t, server);
  receiver.setAnswer((_delivery, index) => ({ status: index === 0 ? 500 : 200 }));
  const { data } = await client.checkout.create({ email: 'ada@example.com', amount: 1 });

  await payByForm(data.checkoutUrl, '4242424242424242');

  // The dispatcher's own timer starts the retry.
  await receiver.waitFor(2);
  t.is((await figuresOf(server)).get('tillhook_reachable{dependency="schedule"}'), 0);
  const readyz = await fetch(`${server.url}/readyz`);
  t.is(readyz.status, 503);
  t.like(await readyz.json(), { status: 'not ready', checks: { database: true, schedule: false } });
});

test('an API process wakes a worker process', async (t) => {
  const api = await startServer(t, { ROLE: 'api' });
  await startServer(t, { ROLE: 'worker', DATABASE_URL: api.database.url });
  const { receiver, client } = await merchantWithReceiver(t, api);
  const { data } = await client.checkout.create({ email: 'ada@example.com', amount: 1 });

  await payByForm(data.checkoutUrl, '4242424242424242');

  t.is((await receiver.waitFor(1)).length, 1);
});

test('a schedule in Postgres starts when its store becomes reachable, and continues after an outage', async (t) => {
  const database = await createTestDatabase();
  t.teardown(() => database.drop());
  await testOutage(t, database.url);
});

test('a schedule in Postgres abandons dead connections, and can still be stopped', async (t) => {
  const database = await createTestDatabase();
  t.teardown(() => database.drop());
  await testDeadConnections(t, database.url);
});

test('while the only Postgres is unreachable the process keeps running, and its schedule continues afterwards', async (t) => {
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

test('the server does not start with a MONGODB_URL that the MongoDB driver cannot parse', async (t) => {
  const settings = { postgres: reachDatabase('postgres://nobody'), mongodbUrl: 'mongodb://one:1,two:2/db?unheardOf=1' };

  await t.throwsAsync(openScheduleStore({ ...settings, log: createLogger('silent') }), {
    instanceOf: StartError,
    message: /^MONGODB_URL cannot be used: .*unheardOf/i,
  });
});

test('a schedule refuses a job whose lock lasts less than two poll intervals, and a job that is due more often than the schedule polls', async (t) => {
  const log = createLogger('silent');
  const store = await openScheduleStore({ postgres: reachDatabase('postgres://nobody'), log });
  t.teardown(() => store.close());
  const start = (every: string, lockLifetimeMs: number) =>
    startSchedule({ store, log, jobs: [{ name: 'count', every, lockLifetimeMs, run: () => {} }] });

  t.throws(() => start('1 second', 2000), { message: /count ends after 2000 ms/ });
  t.throws(() => start('1 hour', 30_000), { message: /count ends after 30000 ms/ });
  t.throws(() => start('5 seconds', 60_000), { message: /count is due every 5 seconds/ });
});
