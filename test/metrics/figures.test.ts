import { oldestDueMailSeconds } from '@tillhook/server/src/platform/mail/mails.service.ts';
import { recurringWork } from '@tillhook/server/src/start/recurring-work.ts';
import { measured } from '@tillhook/server/src/telemetry/metrics/measured-job.ts';
import test, { type ExecutionContext } from 'ava';
import { eventually } from '../support/eventually.ts';
import { startCheckout } from '../support/money/payments.ts';
import { payOnce, unreachableUrl } from '../support/receivers/deliveries.ts';
import { startReceiver } from '../support/receivers/receiver.ts';
import { figuresOf } from '../support/server/figures.ts';
import { ownServerForFile, type TestServer } from '../support/server/tillhook.ts';

const startedAfter = Math.floor(Date.now() / 1000);

// These tests share three servers, because each server costs seconds of processor time. The tests run one after
// another, because some compare metrics of the whole server.
const server = ownServerForFile({ DELIVERY_RETRY_DELAYS_MS: '20' });
const withoutJobs = ownServerForFile({ ROLE: 'api', RATE_LIMITS: 'on', DATABASE_POOL_SIZE: '2' });
const withOneSlot = ownServerForFile({ DELIVERY_CONCURRENCY: '1' });

/** The server reads some metrics at most once a second. */
async function assertFigureBecomes(t: ExecutionContext, server: TestServer, [name, expected]: [string, number]) {
  t.is(await eventually(async () => (await figuresOf(server)).get(name), expected), expected);
}

async function clientWith(server: TestServer, url: string) {
  const { client } = await server.createMerchant();
  await client.webhookEndpoints.register({ url });
  return client;
}

async function startAnsweringReceiver(t: ExecutionContext, answer: () => number) {
  const receiver = await startReceiver({ answer: () => ({ status: answer() }) });
  t.teardown(() => receiver.stop());
  return receiver;
}

test.serial('/metrics has the durations of requests by operation and status, and shows no unknown path', async (t) => {
  const { client, testKey } = await server().createMerchant();
  await client.account.get();
  await client.account.get();
  await server().request('/api/v1/me', { key: `${testKey}x` });
  await server().request('/api/v1/nothing/sk_live_secret');

  const countOf = (operation: string, status: number) =>
    `tillhook_request_duration_seconds_count{operation="${operation}",status="${status}"}`;

  await assertFigureBecomes(t, server(), [countOf('getAccount', 200), 2]);
  await assertFigureBecomes(t, server(), [countOf('getAccount', 401), 1]);
  await assertFigureBecomes(t, server(), [countOf('other', 404), 1]);
  t.notRegex([...(await figuresOf(server())).keys()].join(), /sk_live_secret/);
});

test.serial('/metrics counts deliveries by outcome, and attempts by status class and by error', async (t) => {
  let status = 503;
  const fails = await startAnsweringReceiver(t, () => status);
  const client = await clientWith(server(), fails.url);
  await payOnce(client);
  await assertFigureBecomes(t, server(), ['tillhook_deliveries_total{outcome="attempts_exhausted"}', 1]);
  status = 204;
  await payOnce(client);
  await assertFigureBecomes(t, server(), ['tillhook_deliveries_total{outcome="delivered"}', 1]);
  status = 410;
  await payOnce(client);
  await assertFigureBecomes(t, server(), ['tillhook_deliveries_total{outcome="endpoint_gone"}', 1]);
  await payOnce(await clientWith(server(), unreachableUrl));
  await assertFigureBecomes(t, server(), ['tillhook_delivery_attempts_total{result="connection_refused"}', 2]);

  const figures = await figuresOf(server());

  t.is(figures.get('tillhook_delivery_attempts_total{result="5xx"}'), 2);
  t.is(figures.get('tillhook_delivery_attempts_total{result="2xx"}'), 1);
  t.is(figures.get('tillhook_delivery_attempts_total{result="4xx"}'), 1);
  t.is(figures.get('tillhook_deliveries_total{outcome="attempts_exhausted"}'), 2);
  t.is(figures.get('tillhook_recorded_results_total'), 6);
  t.is(figures.get('tillhook_directly_sent_deliveries_total'), 4, 'first attempts');
  t.is(figures.get('tillhook_claimed_deliveries_total'), 2, 'retries');
  t.true((figures.get('tillhook_claim_duration_seconds_count') ?? 0) >= 2);
  t.true((figures.get('tillhook_record_duration_seconds_count') ?? 7) <= 6);
});

test.serial('/metrics has the duration and the result of the runs of every job', async (t) => {
  const nothing = { ring() {} };
  const wakeable = { dispatcher: nothing, payouts: nothing, refunds: nothing, mails: nothing };
  const jobs = recurringWork(server().context, {
    ...wakeable,
    withLongStatements: (work) => work(server().context.em.fork()),
  });

  for (const { name } of jobs) {
    const label = `{job_name="${name}"}`;
    const hasSucceeded = `tillhook_job_last_success_timestamp_seconds${label}`;
    const figures = await eventually(
      () => figuresOf(server()),
      (seen) => seen.has(hasSucceeded),
    );
    t.true((figures.get(`tillhook_job_runs_total${label}`) ?? 0) >= 1);
    t.is(figures.get(`tillhook_job_failures_total${label}`), 0);
    const startedAt = figures.get(`tillhook_job_last_start_timestamp_seconds${label}`) ?? 0;
    t.true(startedAt >= startedAfter && startedAt <= Date.now() / 1000);
    t.true((figures.get(`tillhook_job_duration_seconds_count${label}`) ?? 0) >= 1);
  }
});

test.serial('/metrics has figures of the process and of its connections', async (t) => {
  const figures = await figuresOf(server());

  for (const name of [
    'tillhook_reachable{dependency="database"}',
    'tillhook_database_connections{state="in_use"}',
    'tillhook_database_connections{state="idle"}',
    'tillhook_database_connections{state="wanted"}',
    'nodejs_eventloop_lag_seconds',
    'process_cpu_seconds_total',
    'process_resident_memory_bytes',
  ]) {
    t.true(figures.has(name), name);
  }
});

test.serial(
  '/metrics counts deliveries in flight and waiting deliveries, and does not count a claimed delivery as due',
  async (t) => {
    const receiver = await startReceiver({ answer: () => 'hang' });
    t.teardown(() => receiver.stop());
    const client = await clientWith(withOneSlot(), receiver.url);
    await payOnce(client);
    await payOnce(client);

    await assertFigureBecomes(t, withOneSlot(), ['tillhook_deliveries_held{state="in_flight"}', 1]);
    await assertFigureBecomes(t, withOneSlot(), ['tillhook_deliveries_held{state="waiting"}', 1]);
    await assertFigureBecomes(t, withOneSlot(), ['delivery_due_seconds', 0]);
    await receiver.stop();
  },
);

test.serial(
  '/metrics counts a delivery whose secret no key decrypts as a delivery without an attempt, and the delivery stays due',
  async (t) => {
    const receiver = await startAnsweringReceiver(t, () => 200);
    const client = await clientWith(withOneSlot(), receiver.url);
    await withOneSlot().database.query(
      `update webhook_endpoint set sealed_secret = 'gone' || sealed_secret where url = $1`,
      [receiver.url],
    );
    await payOnce(client);

    await assertFigureBecomes(t, withOneSlot(), ['tillhook_unattempted_deliveries_total', 1]);
    await assertFigureBecomes(t, withOneSlot(), ['tillhook_delivery_places', 1]);
    t.is(receiver.deliveries.length, 0);
    const queued = `select 1 from pending_delivery where attempt_count = 0
    and endpoint_id = (select id from webhook_endpoint where url = $1)`;
    t.is((await withOneSlot().database.query(queued, [receiver.url])).length, 1);
  },
);

test.serial('/metrics counts a test event like any other delivery', async (t) => {
  const { url } = await startAnsweringReceiver(t, () => 404);
  const { client } = await withoutJobs().createMerchant();
  const { id } = await client.webhookEndpoints.register({ url });

  await client.webhookEndpoints.sendTest(id);

  const figures = await figuresOf(withoutJobs());
  t.is(figures.get('tillhook_delivery_attempts_total{result="4xx"}'), 1);
  t.is(figures.get('tillhook_deliveries_total{outcome="attempts_exhausted"}'), 1);
});

test.serial('/metrics has the age of the oldest due delivery since its due time, not since its creation', async (t) => {
  const client = await clientWith(withoutJobs(), unreachableUrl);
  await payOnce(client);
  await payOnce(client);
  const { query } = withoutJobs().database;
  await query(`update pending_delivery set due_at = now() + interval '1 hour'`);
  await assertFigureBecomes(t, withoutJobs(), ['delivery_due_seconds', 0]);

  await query(`update pending_delivery set due_at = now() - interval '90 seconds' where delivery_id = (
    select delivery_id from pending_delivery limit 1)`);

  await eventually(
    async () => (await figuresOf(withoutJobs())).get('delivery_due_seconds') ?? 0,
    (seen) => seen >= 90,
  );
  const shown = (await figuresOf(withoutJobs())).get('delivery_due_seconds') ?? Number.NaN;
  const [{ age = 0 } = {}] = await query<{ age: number }>(
    'select extract(epoch from now() - min(due_at))::float8 as age from pending_delivery',
  );
  t.true(shown <= age);
});

test.serial('/metrics shows no due mail, and queries none, when the service writes no mails', async (t) => {
  const { context, database } = withoutJobs();
  t.is(context.config.mail, null);
  await database.query(
    `insert into mail (id, kind, recipient, message_id, sealed_values, status, created_at, next_check_at)
     values (gen_random_uuid(), 'password_changed', 'ada@example.com', '', '', 'pending', now(), now() - interval '1 day')`,
  );

  t.is(await oldestDueMailSeconds(context), 0);
  t.is((await figuresOf(withoutJobs())).get('tillhook_mail_due_seconds'), 0);
});

test.serial('/metrics counts the payments under review', async (t) => {
  const merchant = await withoutJobs().createMerchant();
  const { reference } = await startCheckout(merchant);
  await assertFigureBecomes(t, withoutJobs(), ['tillhook_payments_under_review', 0]);

  await withoutJobs().database.query(`update payment set review_reason = 'paid_twice' where reference = $1`, [
    reference,
  ]);

  await assertFigureBecomes(t, withoutJobs(), ['tillhook_payments_under_review', 1]);
});

test.serial('/metrics counts a failed run of a job as a failure and not as a success', async (t) => {
  const fail = () => Promise.reject(new Error('no'));
  const { run } = measured(withoutJobs().context, { name: 'fail', every: '1 hour', lockLifetimeMs: 1, run: fail });

  await t.throwsAsync(async () => run(), { message: 'no' });

  const figures = await figuresOf(withoutJobs());
  t.is(figures.get('tillhook_job_failures_total{job_name="fail"}'), 1);
  t.is(figures.get('tillhook_job_duration_seconds_count{job_name="fail"}'), 1);
  t.false(figures.has('tillhook_job_last_success_timestamp_seconds{job_name="fail"}'));
});

test.serial('/metrics shows a request as waiting for a connection only while all connections are in use', async (t) => {
  const wanted = async () => (await figuresOf(withoutJobs())).get('tillhook_database_connections{state="wanted"}');
  const ask = (seconds: number) => withoutJobs().context.em.fork().execute(`select pg_sleep(${seconds})`);
  await Promise.all([ask(0.1), ask(0.1)]);

  t.is(await wanted(), 0);

  const answers = [ask(1), ask(1), ask(0), ask(0)];
  t.true(Number(await wanted()) >= 2);
  await Promise.all(answers);
});

test.serial(
  '/metrics counts the calls that pass because the server could not count them against a rate limit',
  async (t) => {
    const { client } = await withoutJobs().createMerchant();
    await withoutJobs().database.query('alter table rate_limit rename to gone');

    await client.account.get();

    t.is((await figuresOf(withoutJobs())).get('tillhook_rate_limit_uncounted_calls_total{limit="test"}'), 1);
  },
);
