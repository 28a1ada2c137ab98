/** Tests with a database that answers late, that keeps its locks, or that is silent while a process stops. */
import { inTransaction } from '@tillhook/server/src/platform/database/transaction.ts';
import test, { type ExecutionContext } from 'ava';
import { sql } from 'kysely';
import { Client } from 'pg';
import { eventually } from '../../support/eventually.ts';
import { startCuttableProxy } from '../../support/network/cuttable-proxy.ts';
import { payOnce } from '../../support/receivers/deliveries.ts';
import { startReceiver } from '../../support/receivers/receiver.ts';
import { testEnvironment } from '../../support/server/environment.ts';
import { figuresOf } from '../../support/server/figures.ts';
import { spawnTillhook } from '../../support/server/process.ts';
import { startOwnServer, type TestServer } from '../../support/server/tillhook.ts';
import { findPostgres } from '../../support/shared-fixtures.ts';

// The tests run one after another, because together they would exceed their time limits.

const impatient = {
  DATABASE_STATEMENT_TIMEOUT_MS: '1500',
  DATABASE_CONNECT_TIMEOUT_MS: '3000',
  RATE_LIMIT_TIMEOUT_MS: '1000',
};

async function startProxy(t: ExecutionContext) {
  const proxy = await startCuttableProxy(await findPostgres());
  t.teardown(() => proxy.cut());
  return proxy;
}

const readiness = async ({ url }: TestServer) => (await fetch(`${url}/readyz`)).status;

test.serial(
  'calls fail in time while the network holds bytes back, and work again when the network forwards the bytes',
  async (t) => {
    const proxy = await startProxy(t);
    const server = await startOwnServer(t, { ...impatient, RATE_LIMITS: 'test:1000/10' }, proxy.reach);
    const receiver = await startReceiver();
    t.teardown(() => receiver.stop());
    const { client, testKey } = await server.createMerchant();
    await client.webhookEndpoints.register({ url: receiver.url });
    await eventually(() => readiness(server), 200);
    const list = () => server.request('/api/v1/payments', { key: testKey });

    proxy.stall();
    const answers = await Promise.all(Array.from({ length: 30 }, list));

    for (const answer of answers) {
      t.is(answer.status, 503);
      t.is((await answer.json()).error.code, 'service_unavailable');
      t.regex(answer.headers.get('retry-after') ?? '', /^\d+$/);
    }
    t.is(await readiness(server), 503);
    t.is((await fetch(`${server.url}/healthz`)).status, 200);

    await proxy.restore();
    await eventually(() => readiness(server), 200);
    await eventually(async () => (await list()).status, 200);
    await eventually(
      () => payOnce(client),
      (reference) => reference !== '',
    );
    await receiver.waitFor(1);
    const runs = async () => (await figuresOf(server)).get('tillhook_job_runs_total{job_name="deliver"}') ?? 0;
    const before = await runs();
    await eventually(runs, (seen) => seen > before);
  },
);

test.serial('Postgres releases the locks of a transaction whose process is unreachable', async (t) => {
  const proxy = await startProxy(t);
  const server = await startOwnServer(t, impatient, proxy.reach);
  const { id } = await server.createMerchant();
  const locked = Promise.withResolvers<void>();
  const transaction = inTransaction(server.context, async ({ em }) => {
    await sql`select from merchant where id = ${id} for update`.execute(em.getKysely());
    locked.resolve();
    await new Promise(() => {});
  });
  transaction.catch(() => {});
  await locked.promise;

  proxy.hang();

  const resting = `select pid from pg_stat_activity
    where datname = current_database() and state like 'idle in transaction%'`;
  await eventually(() => server.database.query(resting), []);
  t.is((await server.database.query('select id from merchant where id = $1 for update nowait', [id])).length, 1);
});

test.serial(
  'a call passes when its rate limit cannot be counted in time, and a metric counts such calls',
  async (t) => {
    const server = await startOwnServer(t, {
      ...impatient,
      DATABASE_STATEMENT_TIMEOUT_MS: '60000',
      RATE_LIMITS: 'test:2/100',
      RATE_LIMIT_TIMEOUT_MS: '1000',
    });
    const { testKey } = await server.createMerchant();
    const list = () => server.request('/api/v1/payments', { key: testKey });
    const uncounted = async () =>
      (await figuresOf(server)).get('tillhook_rate_limit_uncounted_calls_total{limit="test"}') ?? 0;
    const release = await hold(server, 'lock table rate_limit in access exclusive mode');
    t.teardown(release);

    for (const answer of await Promise.all(Array.from({ length: 8 }, list))) t.is(answer.status, 200);

    t.is(await uncounted(), 8);
    await release();
    await eventually(async () => (await list()).status, 429);
  },
);

test.serial('a process that is stopped ends within its grace time while its database does not answer', async (t) => {
  const proxy = await startProxy(t);
  const { database } = await startOwnServer(t);
  const server = spawnTillhook(
    t,
    testEnvironment(proxy.reach(database.url), { SHUTDOWN_GRACE_MS: '500', RATE_LIMITS: 'on' }),
  );
  await server.line('ready');
  proxy.hang();

  server.kill('SIGTERM');

  t.is((await server.ended).code, 0);
});

async function hold({ database }: TestServer, statement: string): Promise<() => Promise<void>> {
  const client = new Client({ connectionString: database.url });
  await client.connect();
  await client.query('begin');
  await client.query(statement);
  let isReleased = false;
  return async () => {
    if (isReleased) return;
    isReleased = true;
    await client.end();
  };
}
