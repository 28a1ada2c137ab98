/** Tests the schedule on MongoDB, which npm does not install: deliveries, every job, and an outage. */
import { randomUUID } from 'node:crypto';
import test from 'ava';
import { eventually } from '../support/eventually.ts';
import { payByForm } from '../support/money/hosted-page.ts';
import { startCuttableProxy } from '../support/network/cuttable-proxy.ts';
import { payOnce } from '../support/receivers/deliveries.ts';
import { startReceiver } from '../support/receivers/receiver.ts';
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

/** npm has no server with MongoDB's protocol, so `.ci/run` builds one where Go is installed, and sets this address. */
const mongodbUrl = process.env.MONGODB_TEST_URL;

/** Without an address the test is skipped; with CI=true the run ends before its tests. */
const onMongodb = mongodbUrl ? test : test.skip;

function freshStore(): string {
  const url = new URL(mongodbUrl ?? '');
  url.pathname = `/schedule_${randomUUID()}`;
  url.searchParams.set('serverSelectionTimeoutMS', '500');
  return url.href;
}

onMongodb('the schedule on MongoDB delivers without a wake-up', (t) =>
  testTickDelivers(t, { MONGODB_URL: freshStore() }),
);

onMongodb('two processes on one MongoDB schedule deliver each event once', async (t) => {
  const MONGODB_URL = freshStore();
  const first = await startServer(t, { MONGODB_URL });
  const second = await startServer(t, { MONGODB_URL, DATABASE_URL: first.database.url });
  const { receiver, client } = await merchantWithReceiver(t, first);
  const sessions = await Promise.all(
    Array.from({ length: 20 }, () => client.checkout.create({ email: 'ada@example.com', amount: 1 })),
  );

  await Promise.all(sessions.map(({ data }) => payByForm(data.checkoutUrl, '4242424242424242')));

  await receiver.waitFor(20);
  await eventually(async () => (await client.webhookEndpoints.list()).webhooks[0]?.successCount, 20);
  t.is(new Set(receiver.deliveries.map(({ headers }) => headers['x-service-delivery-id'])).size, 20);
  t.is(receiver.deliveries.length, 20);
  await eventually(async () => (await fetch(`${second.url}/readyz`)).status, 200);
});

onMongodb('two processes on one schedule in MongoDB run every job', (t) =>
  testEveryJobRuns(t, { MONGODB_URL: freshStore() }),
);

onMongodb('a schedule on MongoDB starts when its store is reachable, and continues after an outage', (t) =>
  testOutage(t, freshStore()),
);

onMongodb('a schedule on MongoDB abandons dead connections, and can still be stopped', (t) => {
  const storeUrl = new URL(freshStore());
  // With this timeout, MongoDB's driver does not close a dead connection by itself while the test runs.
  storeUrl.searchParams.set('connectTimeoutMS', '600000');
  storeUrl.searchParams.set('heartbeatFrequencyMS', '500');
  return testDeadConnections(t, storeUrl.href);
});

onMongodb(
  'while MongoDB is unavailable, deliveries are still retried, and /readyz reports the outage until its end',
  async (t) => {
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
  },
);
