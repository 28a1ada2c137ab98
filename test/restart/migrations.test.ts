import { reachDatabase } from '@tillhook/server/src/database/connections.ts';
import { createDaySql } from '@tillhook/server/src/database/daily-partitions.ts';
import { migrate, withMigrationLock } from '@tillhook/server/src/database/migrate.ts';
import { StartError } from '@tillhook/server/src/start-error.ts';
import test from 'ava';
import { Client } from 'pg';
import { v7 } from 'uuid';
import { emptyDatabase } from '../support/database/empty-database.ts';
import { schemaOf } from '../support/database/schema-of.ts';

/** What the first version of migration 001 also made. */
const earlyDashboard = `
  create table dashboard_user (id uuid primary key, merchant_id uuid not null references merchant (id),
    email text not null, password_hash text not null, created_at timestamptz(3) not null);
  create unique index dashboard_user_email_unique on dashboard_user (lower(email));
  create table dashboard_session (token_hash bytea primary key,
    user_id uuid not null references dashboard_user (id) on delete cascade,
    created_at timestamptz(3) not null, last_seen_at timestamptz(3) not null);
  create index dashboard_session_user on dashboard_session (user_id);`;

test('both histories of the first migration lead to the same schema', async (t) => {
  const [first, second] = [await emptyDatabase(t), await emptyDatabase(t)];
  await (await first.open()).migrator.up({ to: '001-first' });
  await (await second.open()).migrator.up({ to: '001-first' });
  await second.database.query(earlyDashboard);

  await migrate(await first.open());
  await migrate(await second.open());

  const schema = await schemaOf(first.database);
  t.true(schema.length > 100);
  t.deepEqual(await schemaOf(second.database), schema);
});

test('processes that start at the same time migrate one after another', async (t) => {
  const { database, open } = await emptyDatabase(t);
  const processes = await Promise.all([open(), open(), open()]);

  await Promise.all(processes.map((orm) => withMigrationLock(reachDatabase(database.url), () => migrate(orm))));

  const names = await database.query<{ name: string }>('select name from migration order by id');
  t.is(new Set(names.map(({ name }) => name)).size, names.length);
  t.deepEqual(await (await open()).migrator.getPending(), []);
});

test('an index whose build was interrupted is built again', async (t) => {
  const { database, open } = await emptyDatabase(t);
  await migrate(await open());
  const whole = await schemaOf(database);
  await database.query(`update pg_index set indisvalid = false where indexrelid = 'payment_review'::regclass`);
  await database.query(`delete from migration where name = '012-attempt-indexes'`);
  t.notDeepEqual(await schemaOf(database), whole);

  await migrate(await open());

  t.deepEqual(await schemaOf(database), whole);
});

test('a migration waits only a limited time for a table in use, and the next start completes it', async (t) => {
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
  // The writer fails when it has to wait for longer than the longest try.
  await writer?.query(`set lock_timeout = '1500ms'`);
  let written = 0;
  while (isMigrating) {
    await writer?.query('delete from delivery');
    written += 1;
  }

  await migrating;
  t.true(written > 0);
});

test('no index of deliveries has a column that changes when one is delivered', async (t) => {
  const { database, open } = await emptyDatabase(t);
  await migrate(await open());

  const indexes = await database.query<{ indexdef: string }>(
    `select indexdef from pg_indexes where tablename = 'delivery' and schemaname = 'public'`,
  );

  t.true(indexes.length > 3);
  t.deepEqual(
    indexes.filter(({ indexdef }) => /\b(status|attempt_count|completed_at)\b/.test(indexdef)),
    [],
  );
});

test('events so far come first in the order of events, and the version before goes on inserting', async (t) => {
  const { database, open } = await emptyDatabase(t);
  const orm = await open();
  await orm.migrator.up({ to: '026-attempt-address' });
  const merchantId = '019aa3c4-7a5b-7c52-8f3a-1b2c3d4e5f60';
  const insert = async (msecs: number) => {
    const id = v7({ msecs });
    await database.query(
      `insert into event (id, merchant_id, mode, name, body, created_at) values ($1, $2, 'test', 'checkout.success', '', now())`,
      [id, merchantId],
    );
    return id;
  };
  const now = Date.now();
  const [second, first] = [await insert(now), await insert(now - 1000)];

  await migrate(orm);
  const [third, fourth] = [await insert(now), await insert(now - 2000)];

  const rows = await database.query<{ id: string }>('select id from event order by feed_position, id');
  t.deepEqual(
    rows.map(({ id }) => id),
    [first, second, third, fourth],
  );
  // A partition that is made later gets the index too.
  await database.query(createDaySql('event', new Date('2100-01-01')));
  const partitions = await database.query(`select from pg_inherits where inhparent = 'event'::regclass`);
  const indexes = await database.query(`select from pg_inherits where inhparent = 'event_feed'::regclass`);
  t.true(partitions.length > 8);
  t.is(indexes.length, partitions.length);
});

test('records so far have no items, logo, links or canceller, and the version before goes on writing its own', async (t) => {
  const { database, open } = await emptyDatabase(t);
  const orm = await open();
  await orm.migrator.up({ to: '029-refund-checks' });
  const [merchantId, first, second] = [v7(), v7(), v7()];
  const insert = (id: string) =>
    database.query(
      `insert into payment (id, merchant_id, mode, reference, access_code, amount, currency, status, customer_email,
         metadata, attempts, expires_at, created_at, updated_at)
       values ($1::uuid, $2, 'test', $1::text, $1::uuid, 1, 'NGN', 'pending', 'ada@example.com', '{}', 0, now(), now(), now())`,
      [id, merchantId],
    );
  await database.query(
    `insert into merchant (id, name, currency, created_at, logo_url)
     values ($1, 'Ada', 'NGN', now(), 'https://shop.example.com/logo.png')`,
    [merchantId],
  );
  await insert(first);

  await migrate(orm);
  await insert(second);
  await database.query('update merchant set logo_url = null');

  t.deepEqual(await database.query('select line_items, statement_name, cancelled_by from payment'), [
    { line_items: null, statement_name: null, cancelled_by: null },
    { line_items: null, statement_name: null, cancelled_by: null },
  ]);
  t.deepEqual(await database.query('select logo_hash, terms_url, statement_name from merchant'), [
    { logo_hash: null, terms_url: null, statement_name: null },
  ]);
  t.deepEqual(await database.query('select hash from merchant_logo'), []);
});
