import { createLogger } from '@tillhook/server/src/kit/logger.ts';
import { reachDatabase } from '@tillhook/server/src/platform/database/connection/connections.ts';
import { startSchedule } from '@tillhook/server/src/platform/schedule/schedule.ts';
import { openScheduleStore } from '@tillhook/server/src/platform/schedule/schedule-store.ts';
import type { ExecutionContext } from 'ava';
import { eventually } from '../eventually.ts';
import { payByForm } from '../money/hosted-page.ts';
import { startCuttableProxy } from '../network/cuttable-proxy.ts';
import { startReceiver } from '../receivers/receiver.ts';
import { figuresOf } from '../server/figures.ts';
import { startServer, type TestServer } from '../server/tillhook.ts';
import { jobScenes } from './job-scenes.ts';

const listener = (onWarning: () => void) =>
  Object.assign(createLogger('silent'), { warn: onWarning }) as ReturnType<typeof createLogger>;

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

export async function testOutage(t: ExecutionContext, storeUrl: string): Promise<void> {
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

export async function testDeadConnections(t: ExecutionContext, storeUrl: string): Promise<void> {
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

export const status = async (server: TestServer, path: string) => (await fetch(`${server.url}${path}`)).status;
export const runsOf = async (server: TestServer, job: string) =>
  (await figuresOf(server)).get(`tillhook_job_runs_total{job_name="${job}"}`) ?? 0;

export async function merchantWithReceiver(t: ExecutionContext, server: TestServer) {
  const receiver = await startReceiver();
  t.teardown(() => receiver.stop());
  const { client } = await server.createMerchant();
  await client.webhookEndpoints.register({ url: receiver.url });
  return { receiver, client };
}

/** Inserts a due delivery and does not ring the bell, as if the wake-up had been lost. */
async function insertDueWithoutWakeUp(server: TestServer): Promise<void> {
  await server.database.query(
    `with copy as (
       insert into delivery (id, event_id, endpoint_id, merchant_id, mode, status, created_at)
       select gen_random_uuid(), event_id, endpoint_id, merchant_id, mode, 'pending', now() from delivery limit 1
       returning id, event_id, endpoint_id)
     insert into pending_delivery (delivery_id, event_id, endpoint_id, due_at) select id, event_id, endpoint_id, now() from copy`,
  );
}

export async function testTickDelivers(t: ExecutionContext, env: Record<string, string>): Promise<void> {
  const server = await startServer(t, env);
  const { receiver, client } = await merchantWithReceiver(t, server);
  const { data } = await client.checkout.create({ email: 'ada@example.com', amount: 1 });
  await payByForm(data.checkoutUrl, '4242424242424242');
  await receiver.waitFor(1);
  await eventually(async () => (await fetch(`${server.url}/readyz`)).status, 200);

  await insertDueWithoutWakeUp(server);

  t.is((await receiver.waitFor(2, 20_000)).length, 2);
}

export async function testEveryJobRuns(t: ExecutionContext, env: Record<string, string>): Promise<void> {
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
