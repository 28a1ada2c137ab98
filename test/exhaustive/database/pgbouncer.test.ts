/** Tests the service behind PgBouncer in transaction mode, with and without tracking of prepared statements. */
import { setTimeout as sleep } from 'node:timers/promises';
import { loadConfig, startTillhook } from '@tillhook/server';
import {
  type DatabaseAccess,
  reachDatabase,
  withOrWithoutSettings,
} from '@tillhook/server/src/platform/database/connection/connections.ts';
import { isPreparedStatementMissing } from '@tillhook/server/src/platform/database/connection/outage.ts';
import test, { type ExecutionContext } from 'ava';
import { Client } from 'pg';
import { createTestDatabase } from '../../support/database/database.ts';
import {
  createPgBouncer,
  findPgBouncer,
  type PgBouncerProgram,
  type Target,
} from '../../support/database/pgbouncer.ts';
import { eventually } from '../../support/eventually.ts';
import { payOnce } from '../../support/receivers/deliveries.ts';
import { startReceiver } from '../../support/receivers/receiver.ts';
import { testEnvironment } from '../../support/server/environment.ts';
import { startServer } from '../../support/server/tillhook.ts';
import { findPostgres } from '../../support/shared-fixtures.ts';

/**
 * API and worker share few connections, so each also gets a connection on which the other has prepared statements.
 */
const crowd = 60;

/** This application name marks connections that do not go through the pooler. */
const pastThePooler = 'past-the-pooler';

async function startBehind(t: ExecutionContext, preparedStatements: number, env: Record<string, string> = {}) {
  const program = requirePgBouncer(preparedStatements);
  const adminUrl = (await findPostgres()).href;
  const pooler = new URL(await startPgBouncer(t, program, { url: adminUrl, preparedStatements }));
  const through = (url: string) => {
    const pooled = new URL(url);
    pooled.host = pooler.host;
    return pooled.href;
  };
  const direct = (url: string) => ({ DATABASE_DIRECT_URL: `${url}?application_name=${pastThePooler}` });
  // Only the worker gets the direct address of the database, because the start of the API creates the database.
  const server = await startServer(t, { ROLE: 'api', ...env }, through);
  const worker = await startTillhook(
    loadConfig(
      testEnvironment(through(server.database.url), { ROLE: 'worker', ...direct(server.database.url), ...env }),
    ),
  );
  t.teardown(() => worker.stop());
  return { server, through };
}

function behind(preparedStatements: number): void {
  const name = `with max_prepared_statements ${preparedStatements}`;

  onPgBouncer(preparedStatements)(`payments, their events and limits are right ${name}`, async (t) => {
    const { server } = await startBehind(t, preparedStatements, { RATE_LIMITS: 'test:1000/100,live:20/100' });
    const receiver = await startReceiver();
    t.teardown(() => receiver.stop());
    const [first, second] = [await server.createMerchant(), await server.createMerchant()];
    await first.client.webhookEndpoints.register({ url: receiver.url });

    const references = await Promise.all(
      Array.from({ length: crowd }, (_, index) => payOnce((index % 2 === 0 ? first : second).client)),
    );

    for (const [merchant, ofMerchant] of [first, second].entries()) {
      const expected = references.filter((_, index) => index % 2 === merchant).toSorted();
      const { payments } = await ofMerchant.client.payments.list({ limit: 100 });
      t.deepEqual(payments.map(({ reference }) => reference).toSorted(), expected);
      t.true(payments.every(({ status }) => status === 'completed'));
      for (const reference of expected) t.is((await ofMerchant.client.payments.get(reference)).reference, reference);
    }
    await receiver.waitFor(crowd / 2);
    const told = new Set(receiver.deliveries.map(({ body }) => JSON.parse(body.toString()).data.reference));
    t.deepEqual([...told].toSorted(), references.filter((_, index) => index % 2 === 0).toSorted());
    const calls = Array.from({ length: 50 }, () => server.request('/api/v1/payments', { key: first.liveKey }));
    t.is((await Promise.all(calls)).filter(({ status }) => status === 200).length, 20);
  });

  onPgBouncer(preparedStatements)(`no client runs the statement that another client prepared ${name}`, async (t) => {
    const { url, drop } = await createTestDatabase();
    const pooled = await startPgBouncer(t, requirePgBouncer(preparedStatements), { url, preparedStatements });
    // Each client has a separate pool, so no client knows which statements the other client has prepared.
    const clients = await Promise.all([connect(reachDatabase(pooled)), connect(reachDatabase(pooled))]);
    t.teardown(async () => {
      await Promise.all(clients.map((client) => client.end()));
      await drop();
    });

    // In each round both clients hold a connection, and the order of the clients changes.
    for (const order of [
      [0, 1],
      [1, 0],
      [0, 1],
      [0, 1],
      [1, 0],
      [1, 0],
    ]) {
      const meet = meetingOf(order.length);
      const columns = await Promise.all(
        order.map(async (which, place) => {
          await sleep(place * 20);
          return inTwoSteps(clients[which] as Client, `select $1::text as of_${which}`, meet);
        }),
      );
      t.deepEqual(
        columns,
        order.map((which) => [`of_${which}`]),
      );
    }
  });

  onPgBouncer(preparedStatements)(`the worker listens for the bell on a direct connection ${name}`, async (t) => {
    const { server } = await startBehind(t, preparedStatements);
    const listeners = `select application_name as by from pg_stat_activity
      where datname = current_database() and query = 'listen tillhook_delivery'`;

    // A pooled connection serves another client after each transaction, so it would get no notifications.
    const by = await eventually(
      () => server.database.query(listeners),
      (seen) => seen.length > 0,
    );
    t.deepEqual(by, [{ by: pastThePooler }]);
  });

  onPgBouncer(preparedStatements)(`a call that waits for the lock of another call fails in time ${name}`, async (t) => {
    const { server } = await startBehind(t, preparedStatements, { DATABASE_STATEMENT_TIMEOUT_MS: '5000' });
    const { testKey } = await server.createMerchant();
    const holder = new Client({ connectionString: server.database.url });
    await holder.connect();
    t.teardown(() => holder.end());
    await holder.query('begin; lock table payment in access exclusive mode');
    const list = () => server.request('/api/v1/payments', { key: testKey });

    t.is((await list()).status, 503);

    await holder.query('rollback');
    await eventually(async () => (await list()).status, 200);
  });
}

const connect = (access: DatabaseAccess): Promise<Client> =>
  withOrWithoutSettings(async () => {
    const client = access.openClient();
    await client.connect();
    return client;
  });

function meetingOf(count: number): () => Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  let waiting = 0;
  return () => {
    waiting += 1;
    if (waiting >= count) resolve();
    return promise;
  };
}

/** In `between` each client waits for the other, so that both clients hold a connection. */
async function inTwoSteps(client: Client, text: string, between: () => Promise<unknown>): Promise<string[]> {
  for (;;) {
    try {
      await client.query('begin');
      await between();
      return Object.keys((await client.query(text, ['value'])).rows[0]);
    } catch (error) {
      if (!isPreparedStatementMissing(error)) throw error;
    } finally {
      await client.query('commit');
    }
  }
}

behind(0);
behind(200);

/** With 0 as `preparedStatements`, the test can use every version of PgBouncer. */
function isNewEnough({ keepsStatements }: PgBouncerProgram, preparedStatements: number): boolean {
  return keepsStatements || preparedStatements === 0;
}

/** Run together, the tests would time out. Without PgBouncer a test is skipped; with CI=true it fails. */
function onPgBouncer(preparedStatements: number) {
  const program = findPgBouncer();
  const canRun = program !== undefined && isNewEnough(program, preparedStatements);
  return canRun || process.env.CI === 'true' ? test.serial : test.serial.skip;
}

function requirePgBouncer(preparedStatements: number): PgBouncerProgram {
  const program = findPgBouncer();
  if (!program) throw new Error('PgBouncer is not installed: install it, or set PGBOUNCER to the path of the program.');
  if (!isNewEnough(program, preparedStatements))
    throw new Error(
      `${program.path} is older than PgBouncer 1.21, which this test needs: set PGBOUNCER to another program.`,
    );
  return program;
}

async function startPgBouncer(t: ExecutionContext, program: PgBouncerProgram, to: Target): Promise<string> {
  const pooler = await createPgBouncer(program, to);
  t.teardown(() => pooler.remove());
  await pooler.start();
  return pooler.url;
}
