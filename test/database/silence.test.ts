import test from 'ava';
import { Client } from 'pg';
import { eventually } from '../support/eventually.ts';
import { startCuttableProxy } from '../support/network/cuttable-proxy.ts';
import { payOnce } from '../support/receivers/deliveries.ts';
import { startReceiver } from '../support/receivers/receiver.ts';
import { figuresOf } from '../support/server/figures.ts';
import { serverForFile } from '../support/server/tillhook.ts';
import { findPostgres } from '../support/shared-fixtures.ts';

const proxy = await startCuttableProxy(await findPostgres());
test.after.always(() => proxy.cut());
/** The time limits of the server are short, so that a test need not wait long for an answer that never comes. */
const server = serverForFile(
  {
    DATABASE_STATEMENT_TIMEOUT_MS: '1500',
    DATABASE_CONNECT_TIMEOUT_MS: '3000',
    RATE_LIMIT_TIMEOUT_MS: '1000',
    RATE_LIMITS: 'test:1000/10',
  },
  proxy.reach,
);
const readiness = async () => (await fetch(`${server().url}/readyz`)).status;

test.serial(
  'calls fail within the time limit while the network drops all data, and succeed again afterwards',
  async (t) => {
    const receiver = await startReceiver();
    t.teardown(() => receiver.stop());
    const { client, testKey } = await server().createMerchant();
    await client.webhookEndpoints.register({ url: receiver.url });
    await eventually(readiness, 200);
    const list = () => server().request('/api/v1/payments', { key: testKey });

    proxy.hang();
    // There are more calls than connections in the pool.
    const answers = await Promise.all(Array.from({ length: 30 }, list));

    for (const answer of answers) {
      t.is(answer.status, 503);
      t.is((await answer.json()).error.code, 'service_unavailable');
      t.regex(answer.headers.get('retry-after') ?? '', /^\d+$/);
    }
    t.is(await readiness(), 503);
    t.is((await fetch(`${server().url}/healthz`)).status, 200);

    await proxy.restore();
    await eventually(readiness, 200);
    await eventually(async () => (await list()).status, 200);
    await eventually(
      () => payOnce(client),
      (reference) => reference !== '',
    );
    await receiver.waitFor(1);
    const runs = async () => (await figuresOf(server())).get('tillhook_job_runs_total{job_name="deliver"}') ?? 0;
    const before = await runs();
    await eventually(runs, (seen) => seen > before);
  },
);

test.serial(
  'a call that waits for a lock fails within the time limit, and calls succeed after the lock is released',
  async (t) => {
    const { testKey } = await server().createMerchant();
    const list = () => server().request('/api/v1/payments', { key: testKey });
    const release = await hold('lock table payment, product in access exclusive mode');
    t.teardown(release);

    t.is((await list()).status, 503);
    const storefront = await server().request('/api/v1/storefront/products', { key: testKey });
    t.is(storefront.status, 503);
    t.is(storefront.headers.get('etag'), null);

    // Leaves out the ledger check, whose statements may wait for the lock longer than the statements of calls.
    const waiting = `select query from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock' and query not like '%ledger%'`;
    await eventually(() => server().database.query(waiting), []);
    await release();
    t.is(await eventually(async () => (await list()).status, 200), 200);
  },
);

async function hold(statement: string): Promise<() => Promise<void>> {
  const client = new Client({ connectionString: server().database.url });
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
