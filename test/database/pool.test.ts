import { reachDatabase } from '@tillhook/server/src/platform/database/connection/connections.ts';
import { openOrm } from '@tillhook/server/src/start/orm.ts';
import test from 'ava';
import { sql } from 'kysely';
import { createTestDatabase } from '../support/database/database.ts';
import { startStatementCutter } from '../support/database/statement-cutter.ts';
import { startCuttableProxy } from '../support/network/cuttable-proxy.ts';

const poolSize = 2;

function blockFor(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

test.serial('the time in which the process was blocked does not count as a wait for a connection', async (t) => {
  const database = await createTestDatabase();
  t.teardown(() => database.drop());
  const access = reachDatabase(database.url, { connectMs: 1000, statementMs: 5000 });
  const pool = access.openPool(1);
  const client = access.openClient();
  t.teardown(() => Promise.all([pool.end(), client.end()]));

  const opened = [pool.query('select 1'), client.connect()];
  setImmediate(() => blockFor(2500));
  await t.notThrowsAsync(Promise.all(opened));

  const held = await pool.connect();
  const waiting = Promise.all([pool.query('select 2'), pool.query('select 3')]);
  setImmediate(() => {
    blockFor(2500);
    setTimeout(() => held.release(), 50);
  });
  await t.notThrowsAsync(waiting);
  t.is(pool.totalCount, 1);
});

test.serial(
  'a wait for a connection times out when no connection becomes free, and a connection that is released later can be used again',
  async (t) => {
    const database = await createTestDatabase();
    t.teardown(() => database.drop());
    const pool = reachDatabase(database.url, { connectMs: 1000, statementMs: 5000 }).openPool(1);
    t.teardown(() => pool.end());
    const held = await pool.connect();

    await t.throwsAsync(pool.query('select 1'), { message: 'timeout exceeded when trying to connect' });
    held.release();

    await t.notThrowsAsync(pool.query('select 1'));
    t.deepEqual([pool.totalCount, pool.idleCount, pool.waitingCount], [1, 1, 0]);
  },
);

test('a connection that is lost in a transaction frees its slot in the pool', async (t) => {
  const database = await createTestDatabase();
  const cutter = await startStatementCutter(new URL(database.url));
  const orm = await openOrm(reachDatabase(cutter.reach(database.url)), poolSize);
  const ask = () => orm.em.fork().transactional((em) => em.execute('select 1'));
  t.teardown(async () => {
    await orm.close(true);
    await database.drop();
  });

  for (const loss of ['answer', 'statement', 'answer', 'statement', 'answer'] as const) {
    // The first message of a transaction is `begin`.
    cutter.cutAt({ message: 1, loss });
    await t.throwsAsync(ask());
    t.truthy(cutter.disarm());
  }

  await t.notThrowsAsync(Promise.all([ask(), ask(), ask()]));
});

test('a statement that lists its columns is prepared once for each connection, and a statement with `select *` is never prepared', async (t) => {
  const database = await createTestDatabase();
  const orm = await openOrm(reachDatabase(database.url), 1);
  t.teardown(async () => {
    await orm.close(true);
    await database.drop();
  });
  const kysely = orm.em.fork().getKysely();
  const steady = () => sql`select name from merchant where currency = ${'NGN'}`.execute(kysely);
  const starry = () => sql`select * from merchant where currency = ${'NGN'}`.execute(kysely);

  for (const ask of [steady, starry, steady, starry]) await ask();
  const { rows } = await sql<{ statement: string }>`select statement from pg_prepared_statements`.execute(kysely);

  t.deepEqual(rows, [{ statement: 'select name from merchant where currency = $1' }]);
  await sql`alter table merchant add column motto text`.execute(kysely);
  for (const ask of [steady, starry]) t.deepEqual((await ask()).rows, []);
});

test('an answer of Postgres that comes too late is discarded, and its connection is not used again', async (t) => {
  const database = await createTestDatabase();
  const proxy = await startCuttableProxy(new URL(database.url));
  const limits = { connectMs: 5000, statementMs: 1000 };
  const orm = await openOrm(reachDatabase(proxy.reach(database.url), limits), 1);
  t.teardown(async () => {
    await orm.close(true);
    await proxy.cut();
    await database.drop();
  });
  const kysely = orm.em.fork().getKysely();
  const ask = async (answer: string) => {
    const { rows } = await sql<{ answer: string; pid: number }>`
      select ${answer}::text as answer, pg_backend_pid() as pid`.execute(kysely);
    return rows[0];
  };
  const before = await ask('before');

  proxy.stall();
  await t.throwsAsync(ask('while silent'), { message: 'Query read timeout' });
  await proxy.restore();

  const after = await ask('after');
  t.is(after?.answer, 'after');
  t.not(after?.pid, before?.pid);
});
