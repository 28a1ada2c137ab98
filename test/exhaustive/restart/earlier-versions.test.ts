/** Tests upgrades of databases with rows of earlier versions, and writes of an earlier version after the upgrade. */

import { StartError } from '@tillhook/server/src/kit/errors.ts';
import { firstIdAt, newId } from '@tillhook/server/src/kit/ids.ts';
import { createDaySql } from '@tillhook/server/src/platform/database/schema/daily-partitions.ts';
import { migrate } from '@tillhook/server/src/platform/database/schema/migrate.ts';
import test, { type ExecutionContext } from 'ava';
import { Client } from 'pg';
import { v7 } from 'uuid';
import type { TestDatabase } from '../../support/database/database.ts';
import { emptyDatabase, insertMerchant } from '../../support/database/empty-database.ts';

/** The previous version writes the due time of a delivery to the table `delivery`, and not to the queue. */
async function insertDelivery(
  database: TestDatabase,
  { id = newId(), eventId = newId(), status = 'pending', lease = null as string | null, inMinutes = 0 },
): Promise<string> {
  await database.query(
    `insert into delivery (id, event_id, endpoint_id, merchant_id, mode, status, attempt_count, claims, lease, next_attempt_at,
       created_at)
     values ($1, $2, gen_random_uuid(), gen_random_uuid(), 'test', $3, 1, 2, $4,
       case when $3 = 'pending' then now() + $5 * interval '1 minute' end, now())`,
    [id, eventId, status, lease, inMinutes],
  );
  return id;
}

async function createVersionBefore(t: ExecutionContext) {
  const { database, open } = await emptyDatabase(t);
  const orm = await open();
  await orm.migrator.up({ to: '013-paid-amounts' });
  return { database, upgrade: () => migrate(orm) };
}

const queuedRows = (database: TestDatabase) =>
  database.query<{ id: string }>(
    'select delivery_id as id, is_retry, attempt_count, claims, held_until <= now() as free from owed_delivery order by due_at',
  );

test('after the upgrade pending deliveries stay queued, and deliveries in flight are not claimed during their lease', async (t) => {
  const { database, upgrade } = await createVersionBefore(t);
  const due = await insertDelivery(database, {});
  const inFlight = await insertDelivery(database, { lease: newId(), inMinutes: 1 });
  await insertDelivery(database, { status: 'delivered' });

  await upgrade();

  const known = { is_retry: true, attempt_count: 1, claims: 2 };
  t.deepEqual(await queuedRows(database), [
    { id: due, ...known, free: true },
    { id: inFlight, ...known, free: false },
  ]);
});

test('while the previous version still runs, deliveries that it creates are queued, and a delivery leaves the queue when the previous version records its result', async (t) => {
  const { database, upgrade } = await createVersionBefore(t);
  const lease = newId();
  const inFlight = await insertDelivery(database, { lease, inMinutes: 1 });
  await upgrade();

  const later = await insertDelivery(database, {});
  t.deepEqual(
    await database.query(`select min(next_attempt_at) <= now() as "isDue" from delivery where status = 'pending'`),
    [{ isDue: null }],
  );
  await database.query(
    `update delivery set status = 'delivered', lease = null, next_attempt_at = null where id = $1 and lease = $2`,
    [inFlight, lease],
  );

  t.deepEqual(
    (await queuedRows(database)).map(({ id }) => id),
    [later],
  );
  await database.query(`update delivery set next_attempt_at = now() + interval '1 minute', claims = 0 where id = $1`, [
    later,
  ]);
  t.like(await queuedRows(database), [{ id: later, claims: 0, free: false }]);
});

test('old events and attempts can still be found, and new rows go to daily partitions', async (t) => {
  const { database, upgrade } = await createVersionBefore(t);
  const merchantId = await insertMerchant(database);
  const insertEvent = (id: string) =>
    database.query(
      `insert into event (id, merchant_id, mode, name, body, created_at) values ($1, $2, 'test', 'test.event', '{', now())`,
      [id, merchantId],
    );
  const [first, stray] = [newId(), 'ffffffff-0000-7000-8000-000000000000'];
  await insertEvent(first);
  await insertEvent(stray);
  await database.query(
    `insert into delivery_attempt (id, delivery_id, attempt, started_at, duration_ms, response_truncated)
     values (gen_random_uuid(), $1, 1, now(), 1, false)`,
    [first],
  );

  await upgrade();

  const inAMonth = new Date(Date.now() + 32 * 86_400_000);
  await insertEvent(firstIdAt(inAMonth));
  const day = inAMonth.toISOString().slice(0, 10).replaceAll('-', '');
  t.deepEqual(await database.query('select tableoid::regclass::text as place, id from event order by id'), [
    { place: 'event_before', id: first },
    { place: `event_${day}`, id: firstIdAt(inAMonth) },
    { place: 'event_other', id: stray },
  ]);
  t.deepEqual(await database.query('select tableoid::regclass::text as place from delivery_attempt'), [
    { place: 'delivery_attempt_before' },
  ]);
});

test('the migration gives up after a limited time while a table is being read, changes nothing, and succeeds later', async (t) => {
  const { database, open } = await emptyDatabase(t);
  const orm = await open();
  await orm.migrator.up({ to: '015-owed-indexes' });
  const merchantId = await insertMerchant(database);
  const insertEvent = () =>
    database.query(
      `insert into event (id, merchant_id, mode, name, body, created_at) values ($1, $2, 'test', 'x', '{', now())`,
      [newId(), merchantId],
    );
  await insertEvent();
  const reader = new Client({ connectionString: database.url });
  await reader.connect();
  t.teardown(() => reader.end());
  await reader.query('begin; select from event');

  await t.throwsAsync(migrate(orm, { tries: 1 }), { instanceOf: StartError });
  await insertEvent();
  t.deepEqual(await database.query(`select from pg_constraint where conname = 'event_before'`), []);

  await reader.query('commit');
  await migrate(orm);
  t.like(await database.query('select count(*)::int as count from event'), [{ count: 2 }]);
});

test('existing events come first in the order of events, and the previous version keeps inserting', async (t) => {
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
  // A partition that is created after the migration gets the index `event_feed` too.
  await database.query(createDaySql('event', new Date('2100-01-01')));
  const partitions = await database.query(`select from pg_inherits where inhparent = 'event'::regclass`);
  const indexes = await database.query(`select from pg_inherits where inhparent = 'event_feed'::regclass`);
  t.true(partitions.length > 8);
  t.is(indexes.length, partitions.length);
});

test('existing payments have no items and no canceller, existing merchants have no logo and links, and the previous version can still write its records', async (t) => {
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

test('the previous version inserts, claims, postpones and ends pending deliveries under their old name', async (t) => {
  const { database, open } = await emptyDatabase(t);
  const orm = await open();
  await orm.migrator.up({ to: '038-attempt-causes' });
  const insert = (deliveryId: string) =>
    database.query(
      'insert into owed_delivery (delivery_id, event_id, endpoint_id, due_at) values ($1, gen_random_uuid(), $1, now())',
      [deliveryId],
    );
  const [before, ended, postponed] = [newId(), newId(), newId()];
  await insert(before);

  await migrate(orm);
  await insert(ended);
  await insert(postponed);
  const claimed = await database.query<{ id: string }>(
    `with picked as materialized (
       select delivery_id from owed_delivery where is_retry = false and due_at <= now()
       order by endpoint_id, is_retry, due_at for update skip locked)
     update owed_delivery set claims = claims + 1, lease = delivery_id, held_until = now() + interval '1 minute'
     where delivery_id = any(array(select delivery_id from picked)) returning delivery_id as id`,
  );
  await database.query(
    `with result as materialized (select $1::uuid as id, $1::uuid as lease)
     delete from owed_delivery using result where delivery_id = result.id and owed_delivery.lease = result.lease
     returning result.id`,
    [ended],
  );
  await database.query(
    `update owed_delivery set is_retry = true, lease = null, held_until = null from (values ($1::uuid)) as result (id)
     where delivery_id = result.id and owed_delivery.lease = result.id`,
    [postponed],
  );

  t.deepEqual(claimed.map(({ id }) => id).sort(), [before, ended, postponed]);
  t.deepEqual(
    await database.query(
      'select delivery_id as id, is_retry, claims, lease from pending_delivery order by delivery_id',
    ),
    [
      { id: before, is_retry: false, claims: 1, lease: before },
      { id: postponed, is_retry: true, claims: 1, lease: null },
    ],
  );
});

test('a claim of the previous version skips the rows that another transaction has locked', async (t) => {
  const { database, open } = await emptyDatabase(t);
  const orm = await open();
  await migrate(orm);
  await database.query(
    'insert into pending_delivery (delivery_id, event_id, endpoint_id, due_at) values ($1, $1, $1, now())',
    [newId()],
  );
  const other = new Client({ connectionString: database.url });
  await other.connect();
  t.teardown(() => other.end());
  const claim = 'select from owed_delivery for update skip locked';
  t.is((await database.query(claim)).length, 1);

  await other.query('begin; select from pending_delivery for update');

  t.deepEqual(await database.query(claim), []);
});
