import { StartError } from '@tillhook/server/src/kit/errors.ts';
import { reachDatabase } from '@tillhook/server/src/platform/database/connection/connections.ts';
import { migrate, withMigrationLock } from '@tillhook/server/src/platform/database/schema/migrate.ts';
import { openOrm } from '@tillhook/server/src/start/orm.ts';
import test, { type ExecutionContext } from 'ava';
import { Client } from 'pg';
import { createTestDatabase } from '../support/database/database.ts';
import { emptyDatabase } from '../support/database/empty-database.ts';
import { schemaOf } from '../support/database/schema-of.ts';

/** The tables that migration 001 created only in its first version. */
const earlyDashboard = `
  create table dashboard_user (id uuid primary key, merchant_id uuid not null references merchant (id),
    email text not null, password_hash text not null, created_at timestamptz(3) not null);
  create unique index dashboard_user_email_unique on dashboard_user (lower(email));
  create table dashboard_session (token_hash bytea primary key,
    user_id uuid not null references dashboard_user (id) on delete cascade,
    created_at timestamptz(3) not null, last_seen_at timestamptz(3) not null);
  create index dashboard_session_user on dashboard_session (user_id);`;

async function migratedDatabase(t: ExecutionContext) {
  const database = await createTestDatabase();
  t.teardown(() => database.drop());
  return database;
}

test('a database that began with the first version of migration 001 gets the same schema as a new database', async (t) => {
  const schema = await schemaOf(await migratedDatabase(t));
  const { database, open } = await emptyDatabase(t);
  await (await open()).migrator.up({ to: '001-first' });
  await database.query(earlyDashboard);

  await migrate(await open());

  t.true(schema.length > 100);
  t.deepEqual(await schemaOf(database), schema);
});

test('processes that start concurrently migrate one after another', async (t) => {
  const { database, open } = await emptyDatabase(t);
  const processes = await Promise.all([open(), open(), open()]);

  await Promise.all(processes.map((orm) => withMigrationLock(reachDatabase(database.url), () => migrate(orm))));

  const names = await database.query<{ name: string }>('select name from migration order by id');
  t.is(new Set(names.map(({ name }) => name)).size, names.length);
  t.deepEqual(await (await open()).migrator.getPending(), []);
});

test('an index whose build was interrupted is built again', async (t) => {
  const database = await migratedDatabase(t);
  const whole = await schemaOf(database);
  await database.query(`update pg_index set indisvalid = false where indexrelid = 'payment_of_link'::regclass`);
  await database.query(`delete from migration where name = '056-payment-link-index'`);
  t.notDeepEqual(await schemaOf(database), whole);

  const orm = await openOrm(reachDatabase(database.url), 2);
  t.teardown(() => orm.close());
  await migrate(orm);

  t.deepEqual(await schemaOf(database), whole);
});

test('a migration waits only a limited time for a table in use, and the next start completes the migration', async (t) => {
  const { database, open } = await emptyDatabase(t);
  const orm = await open();
  await orm.migrator.up({ to: '001-first' });
  const user = new Client({ connectionString: database.url });
  await user.connect();
  t.teardown(() => user.end());
  await user.query('begin; select from delivery');

  const error = await t.throwsAsync(migrate(orm, { tries: 1 }), { instanceOf: StartError });
  t.regex(String(error?.message), /too busy for the migration 004-endpoint-management/);
  await user.query('select from delivery');

  const migrating = migrate(orm);
  await user.query('commit');
  await migrating;
  t.deepEqual(await orm.migrator.getPending(), []);
});

test('a migration that waits for a long reader lets writers pass in between', async (t) => {
  const { database, open } = await emptyDatabase(t);
  const orm = await open();
  await orm.migrator.up({ to: '001-first' });
  const [reader, writer] = [database.url, database.url].map((connectionString) => new Client({ connectionString }));
  for (const client of [reader, writer]) {
    await client?.connect();
    t.teardown(() => client?.end());
  }
  await reader?.query('begin; select from delivery');

  const migrating = t.throwsAsync(migrate(orm, { tries: 4 }), { instanceOf: StartError });
  let isMigrating = true;
  void migrating.then(() => {
    isMigrating = false;
  });
  // The writer fails if it waits 1.5 seconds; an attempt of the migration waits at most 1.2 seconds for a lock.
  await writer?.query(`set lock_timeout = '1500ms'`);
  let written = 0;
  while (isMigrating) {
    await writer?.query('delete from delivery');
    written += 1;
  }

  await migrating;
  t.true(written > 0);
});

test('no index of deliveries has a column that changes when a delivery ends', async (t) => {
  const database = await migratedDatabase(t);

  const indexes = await database.query<{ indexdef: string }>(
    `select indexdef from pg_indexes where tablename = 'delivery' and schemaname = 'public'`,
  );

  t.true(indexes.length > 3);
  t.deepEqual(
    indexes.filter(({ indexdef }) => /\b(status|attempt_count|completed_at)\b/.test(indexdef)),
    [],
  );
});
