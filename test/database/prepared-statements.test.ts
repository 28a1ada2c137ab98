/** Behind a pooler, one name must never stand for two statements, so the name depends only on the text. */
import { listCustomers } from '@tillhook/server/src/money/customers/customers.service.ts';
import { listPayments } from '@tillhook/server/src/money/payments/payments.service.ts';
import { type DatabaseAccess, reachDatabase } from '@tillhook/server/src/platform/database/connection/connections.ts';
import {
  plannedEachTime,
  statementName,
} from '@tillhook/server/src/platform/database/connection/prepared-statements.ts';
import { inTransaction } from '@tillhook/server/src/platform/database/transaction.ts';
import { search } from '@tillhook/server/src/search/search.service.ts';
import test, { type ExecutionContext } from 'ava';
import { sql } from 'kysely';
import type { Client } from 'pg';
import { contextAt } from '../statistics/owners.ts';
import { createTestDatabase } from '../support/database/database.ts';
import { serverWithContext } from '../support/server/tillhook.ts';
import { noteStatements } from './noted-statements.ts';

const server = serverWithContext({ DATABASE_POOL_SIZE: '2' });

async function connect(t: ExecutionContext, access: DatabaseAccess): Promise<Client> {
  const client = access.openClient();
  await client.connect();
  t.teardown(() => client.end());
  return client;
}

async function freshDatabase(t: ExecutionContext) {
  const database = await createTestDatabase();
  t.teardown(() => database.drop());
  return database;
}

async function preparedOn(client: Client): Promise<{ name: string; statement: string }[]> {
  return (await client.query('select name, statement from pg_prepared_statements order by statement')).rows;
}

test('the name of a prepared statement depends only on the text, and is short enough for Postgres', (t) => {
  const texts = ['select $1::int as one', 'select $1::int as two', `select $1::int as "${'long'.repeat(2000)}"`];

  const names = texts.map(statementName);

  t.is(new Set(names).size, texts.length);
  t.deepEqual(texts.map(statementName), names);
  t.true(names.every((name) => Buffer.byteLength(name) <= 63));
});

test('the order of statements on a connection does not change the names of the prepared statements', async (t) => {
  const access = reachDatabase((await freshDatabase(t)).url);
  const [one, other] = [await connect(t, access), await connect(t, access)];
  const texts = ['select $1::int as first', 'select $1::int as second'];

  for (const text of texts) await one.query(text, [1]);
  for (const text of texts.toReversed()) await other.query(text, [1]);

  const expected = texts.map((statement) => ({ name: statementName(statement), statement }));
  t.deepEqual(await preparedOn(one), expected);
  t.deepEqual(await preparedOn(other), expected);
});

test('a statement whose plan depends on its values is planned again for each execution', async (t) => {
  const client = await connect(t, reachDatabase((await freshDatabase(t)).url));

  await client.query(`select $1::int as first ${plannedEachTime}`, [1]);

  t.deepEqual(await preparedOn(client), []);
});

test('every statement that looks for a text is planned each time', async (t) => {
  const { id: merchantId, client } = await server().createMerchant();
  await client.checkout.create({ email: 'ada@example.com', amount: 500, reference: 'order-123' });
  const { orm, statements } = await noteStatements(server().database.url);
  t.teardown(() => orm.close());
  const context = { ...contextAt(server(), { now: new Date(), merchantId }), em: orm.em.fork() };
  const page = { limit: 20, offset: 0 };

  const noted = await statements(async () => {
    await search(context, 'order ada');
    await listPayments(context, { search: 'order ada' }, page);
    await listCustomers(context, { search: 'ada' }, page);
  });

  const searching = noted.filter(({ text }) => / like /.test(text));
  t.true(searching.length > 10);
  t.deepEqual(
    searching.filter(({ text }) => !text.includes(plannedEachTime)),
    [],
  );
});

test('a statement name that the caller sets is replaced by the hash of the text', async (t) => {
  const client = await connect(t, reachDatabase((await freshDatabase(t)).url));
  const text = 'select $1::int as first';

  await client.query({ name: 'upsert', text, values: [1] });

  t.deepEqual(await preparedOn(client), [{ name: statementName(text), statement: text }]);
});

/** Tests what happens behind a pooler that lends a connection for one transaction and does not track names. */
const foreignConnections = {
  'lent a connection without the statement': () => 'deallocate all',
  'lent a connection on which another client has used the name': (text: string) =>
    `deallocate all; prepare "${statementName(text)}" as select 'of somebody else' as answer`,
};

for (const [situation, statementFor] of Object.entries(foreignConnections)) {
  test(`a statement gets the right answer when its client was ${situation}, and later statements have no names`, async (t) => {
    const access = reachDatabase((await freshDatabase(t)).url);
    const text = 'select $1::text as answer';
    const [one, other] = [await connect(t, access), await connect(t, access)];
    // The first client has prepared the name, and the other client has not. With the first client Postgres reports
    // that the name does not exist, and with the other client that the name already exists.
    const client = situation.includes('another client') ? other : one;
    if (client === one) await client.query(text, ['prepared']);
    await client.query(statementFor(text));

    t.deepEqual((await client.query(text, ['mine'])).rows, [{ answer: 'mine' }]);

    await other.query('deallocate all');
    t.deepEqual((await other.query(text, ['mine'])).rows, [{ answer: 'mine' }]);
    t.deepEqual(await preparedOn(other), []);
  });
}

test.serial('a transaction that loses a prepared statement runs again and succeeds', async (t) => {
  const { context } = server();
  let runs = 0;
  const answer = await inTransaction(context, async ({ em }) => {
    runs += 1;
    const kysely = em.getKysely();
    const ask = () => sql<{ answer: string }>`select ${'mine'}::text as answer`.execute(kysely);
    await ask();
    await sql`deallocate all`.execute(kysely);
    return (await ask()).rows;
  });

  t.deepEqual(answer, [{ answer: 'mine' }]);
  t.is(runs, 2);
});

test('a connection is closed when Postgres does not answer a statement that was repeated without its name', async (t) => {
  const { url } = await freshDatabase(t);
  const client = await connect(t, reachDatabase(url).withLimits({ statementMs: 200 }));
  await client.query('set statement_timeout = 0');
  await client.query('select pg_sleep($1)', [0]);
  await client.query('deallocate all');

  await t.throwsAsync(client.query('select pg_sleep($1)', [60]), { message: 'Query read timeout' });

  await t.throwsAsync(client.query('select 1'), { message: 'Client was closed and is not queryable' });
});
