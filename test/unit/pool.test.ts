import { reachDatabase } from '@tillhook/server/src/database/connections.ts';
import { openOrm } from '@tillhook/server/src/orm.ts';
import test from 'ava';
import { sql } from 'kysely';
import { startCuttableProxy } from '../support/database/cuttable-proxy.ts';
import { createTestDatabase } from '../support/database/database.ts';
import { startStatementCutter } from '../support/database/statement-cutter.ts';

const poolSize = 2;

test('a connection that is lost in a transaction frees its place in the pool', async (t) => {
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

test('a statement with listed columns is prepared once for each connection, and one with a star is never prepared', async (t) => {
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

test('an answer that comes too late is discarded, and its connection is not used again', async (t) => {
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
