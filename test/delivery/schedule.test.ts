import { startReceiver } from '@tillhook/mock/receiver';
import test, { type ExecutionContext } from 'ava';
import { freshStore, onMongodb } from '../support/database/mongodb.ts';
import { eventually } from '../support/eventually.ts';
import { payByForm } from '../support/pages/hosted-page.ts';
import { figuresOf } from '../support/server/figures.ts';
import { jobScenes } from '../support/server/job-scenes.ts';
import { startServer, type TestServer } from '../support/server/tillhook.ts';

async function merchantWithReceiver(t: ExecutionContext, server: TestServer) {
  const receiver = await startReceiver();
  t.teardown(() => receiver.stop());
  const { client } = await server.createMerchant();
  await client.webhookEndpoints.register({ url: receiver.url });
  return { receiver, client };
}

/** Inserts a due delivery without ringing the bell, as a copy of an earlier one, as if the wake-up had been lost. */
async function insertDueWithoutWakeUp(server: TestServer): Promise<void> {
  await server.database.query(
    `with copy as (
       insert into delivery (id, event_id, endpoint_id, merchant_id, mode, status, created_at)
       select gen_random_uuid(), event_id, endpoint_id, merchant_id, mode, 'pending', now() from delivery limit 1
       returning id, event_id, endpoint_id)
     insert into owed_delivery (delivery_id, event_id, endpoint_id, due_at) select id, event_id, endpoint_id, now() from copy`,
  );
}

async function testTickDelivers(t: ExecutionContext, env: Record<string, string>): Promise<void> {
  const server = await startServer(t, env);
  const { receiver, client } = await merchantWithReceiver(t, server);
  const { data } = await client.checkout.create({ email: 'ada@example.com', amount: 1 });
  await payByForm(data.checkoutUrl, '4242424242424242');
  await receiver.waitFor(1);
  await eventually(async () => (await fetch(`${server.url}/readyz`)).status, 200);

  await insertDueWithoutWakeUp(server);

  t.is((await receiver.waitFor(2, 20_000)).length, 2);
}

test('the schedule on Postgres delivers when no wake-up came', (t) => testTickDelivers(t, {}));

onMongodb('the schedule on MongoDB delivers when no wake-up came', (t) =>
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

/** On a new store, every job runs at once, in one of the processes. */
async function testEveryJobRuns(t: ExecutionContext, env: Record<string, string>): Promise<void> {
  const first = await startServer(t, { ...env, ROLE: 'worker' });
  const second = await startServer(t, { ...env, ROLE: 'worker', DATABASE_URL: first.database.url });
  for (const job of Object.keys(jobScenes)) {
    const succeeded = `tillhook_job_last_success_timestamp_seconds{job_name="${job}"}`;
    const failed = `tillhook_job_failures_total{job_name="${job}"}`;
    const both = () => Promise.all([figuresOf(first), figuresOf(second)]);
    const successes = async () => (await both()).map((figures) => figures.get(succeeded));
    await eventually(successes, (seen) => seen.some((at) => at !== undefined));
    for (const figures of await both()) t.is(figures.get(failed), 0, job);
  }
}

test('two processes on one schedule in Postgres run every job', (t) => testEveryJobRuns(t, {}));

onMongodb('two processes on one schedule in MongoDB run every job', (t) =>
  testEveryJobRuns(t, { MONGODB_URL: freshStore() }),
);

test('while the store of the schedule is away everything except the schedule works, and /readyz reports it', async (t) => {
  const server = await startServer(t, { MONGODB_URL: 'mongodb://127.0.0.1:1/none?serverSelectionTimeoutMS=200' });
  const { receiver, client } = await merchantWithReceiver(t, server);
  receiver.setAnswer((_delivery, index) => ({ status: index === 0 ? 500 : 200 }));
  const { data } = await client.checkout.create({ email: 'ada@example.com', amount: 1 });

  await payByForm(data.checkoutUrl, '4242424242424242');

  // The timer of the dispatcher starts the retry.
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
