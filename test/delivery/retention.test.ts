import { NotFoundError } from '@tillhook/sdk';
import { withFreshEntityManager } from '@tillhook/server/src/context.ts';
import { firstIdAt } from '@tillhook/server/src/kit/ids.ts';
import { addDays, createDaySql, dayOf } from '@tillhook/server/src/platform/database/schema/daily-partitions.ts';
import { makeDays } from '@tillhook/server/src/webhooks/log/make-days.job.ts';
import { purgeDeliveries } from '@tillhook/server/src/webhooks/log/purge-deliveries.job.ts';
import test from 'ava';
import { insertDeliveries, payOnce, unreachableUrl, waitForDeliveries } from '../support/receivers/deliveries.ts';
import { serverWithContext, type TestMerchant, usualSettings } from '../support/server/tillhook.ts';

const server = serverWithContext(usualSettings);

/** The purge takes the deliveries of all merchants, so the tests that call this function run one after another. */
const purge = () => purgeDeliveries(withFreshEntityManager(server().context));

async function merchantWithFailure() {
  const merchant = await server().createMerchant();
  const { client } = merchant;
  const { id: webhookId } = await client.webhookEndpoints.register({ url: unreachableUrl });
  await payOnce(client);
  await waitForDeliveries(client);
  return { merchant, client, webhookId };
}

/** The first 48 bits of an id are its time in milliseconds. */
async function makeOlder({ id: merchantId }: TestMerchant, days: number): Promise<void> {
  const older = (id: string) =>
    `(lpad(to_hex(('x' || left(replace(${id}::text, '-', ''), 12))::bit(48)::bigint - ${days * 86_400_000}), 12, '0')
      || substr(replace(${id}::text, '-', ''), 13))::uuid`;
  const then = `created_at = created_at - interval '${days} days'`;
  const { query } = server().database;
  await query(
    `update delivery_attempt set delivery_id = ${older('delivery_id')} from delivery
     where delivery_id = delivery.id and merchant_id = $1`,
    [merchantId],
  );
  await query(
    `update delivery set id = ${older('id')}, event_id = ${older('event_id')}, ${then} where merchant_id = $1`,
    [merchantId],
  );
  await query(`update event set id = ${older('id')}, ${then} where merchant_id = $1`, [merchantId]);
}

async function rowsOf({ id }: TestMerchant) {
  const [counts] = await server().database.query<{ events: number; deliveries: number; attempts: number }>(
    `select (select count(*)::int from event where merchant_id = $1) as events,
      (select count(*)::int from delivery where merchant_id = $1) as deliveries,
      (select count(*)::int from delivery_attempt join delivery on delivery_id = delivery.id where merchant_id = $1)
        as attempts`,
    [id],
  );
  return counts;
}

const nameOfDay = (day: Date) => day.toISOString().slice(0, 10).replaceAll('-', '');

const all = { events: 1, deliveries: 1, attempts: 4 };
const nothing = { events: 0, deliveries: 0, attempts: 0 };

test.serial('a delivery that has ended is purged after thirty days', async (t) => {
  const { merchant, client } = await merchantWithFailure();

  await makeOlder(merchant, 29);
  await purge();
  t.deepEqual(await rowsOf(merchant), all);

  await makeOlder(merchant, 1);
  await purge();
  t.is((await client.deliveries.list()).total, 0);
});

test.serial('an event and its attempts are removed with the partition of their day', async (t) => {
  const { merchant, client } = await merchantWithFailure();
  await makeOlder(merchant, 31);
  const [delivery] = (await client.deliveries.list()).deliveries;

  await purge();

  t.deepEqual(await rowsOf(merchant), nothing);
  const left = await server().database.query('select from delivery_attempt where delivery_id = $1', [delivery?.id]);
  t.deepEqual(left, []);
});

test.serial('a purged delivery cannot be read, resent or replayed', async (t) => {
  const { merchant, client, webhookId } = await merchantWithFailure();
  await makeOlder(merchant, 31);
  const [delivery] = (await client.deliveries.list()).deliveries;
  await purge();

  const { id = '', eventId = '' } = delivery ?? {};
  await t.throwsAsync(client.deliveries.get(id), { instanceOf: NotFoundError });
  await t.throwsAsync(client.deliveries.resend(id), { instanceOf: NotFoundError });
  await t.throwsAsync(client.events.get(eventId), { instanceOf: NotFoundError });
  const { data } = await client.webhookEndpoints.replay(webhookId, { since: '2020-01-01T00:00:00.000Z' });
  t.deepEqual(data, { count: 0, hasMore: false });
});

test.serial('a pending delivery is kept with its event, even if it is old', async (t) => {
  const { merchant } = await merchantWithFailure();
  await server().database.query(
    `with queued as (
       update delivery set status = 'pending', completed_at = null where merchant_id = $1 returning id, event_id, endpoint_id)
     insert into pending_delivery (delivery_id, event_id, endpoint_id, is_retry, due_at)
     select id, event_id, endpoint_id, true, now() + interval '1 day' from queued`,
    [merchant.id],
  );
  await makeOlder(merchant, 365);

  await purge();

  t.deepEqual(await rowsOf(merchant), all);
});

test.serial('an old event is kept while a newer delivery needs it', async (t) => {
  const { merchant, client } = await merchantWithFailure();
  await makeOlder(merchant, 30);
  const [old] = (await client.deliveries.list()).deliveries;
  const { data } = await client.deliveries.resend(old?.id ?? '');
  await waitForDeliveries(client);

  await purge();

  t.deepEqual(await rowsOf(merchant), all);
  t.like(await client.deliveries.get(data.id), { status: 'failed', resentFrom: old?.id });
});

test.serial('an event without deliveries is purged, too', async (t) => {
  const merchant = await server().createMerchant();
  await payOnce(merchant.client);
  await makeOlder(merchant, 31);

  await purge();

  t.deepEqual(await rowsOf(merchant), nothing);
});

test.serial(
  'concurrent runs of the purge remove all old deliveries, in several batches, and keep newer deliveries',
  async (t) => {
    const merchant = await server().createMerchant();
    const { id: webhookId } = await merchant.client.webhookEndpoints.register({ url: unreachableUrl });
    await insertDeliveries(server(), merchant, { webhookId, count: 11_000, status: 'delivered' });
    await makeOlder(merchant, 31);
    await insertDeliveries(server(), merchant, { webhookId, count: 3, status: 'delivered' });

    await Promise.all([purge(), purge()]);
    await purge();

    t.deepEqual(await rowsOf(merchant), { events: 3, deliveries: 3, attempts: 0 });
  },
);

/** Replaces the partition for all older rows by a partition for each of these past days. */
async function makeOldDays(...days: Date[]): Promise<void> {
  for (const table of ['event', 'delivery_attempt'] as const) {
    await server().database.query(`drop table if exists ${table}_before`);
    for (const day of days) await server().database.query(createDaySql(table, day));
  }
}

const partitionsOf = async (table: string) =>
  (
    await server().database.query<{ name: string }>(
      'select inhrelid::regclass::text as name from pg_inherits where inhparent = $1::regclass order by 1',
      [table],
    )
  ).map(({ name }) => name);

test.serial(
  'the partition of an old day is dropped, but a partition with a pending delivery keeps the rows of that delivery',
  async (t) => {
    const [over, withPending] = [50, 40].map((days) => addDays(dayOf(new Date()), -days)) as [Date, Date];
    await makeOldDays(over, withPending);
    const merchant = await server().createMerchant();
    const { id: webhookId } = await merchant.client.webhookEndpoints.register({ url: unreachableUrl });
    await insertDeliveries(server(), merchant, { webhookId, count: 3 });
    await makeOlder(merchant, 10);
    await insertDeliveries(server(), merchant, { webhookId, count: 2 });
    await insertDeliveries(server(), merchant, { webhookId, status: 'pending' });
    await makeOlder(merchant, 40);

    await purge();

    t.deepEqual(await rowsOf(merchant), { events: 1, deliveries: 1, attempts: 0 });
    for (const table of ['event', 'delivery_attempt']) {
      const left = await partitionsOf(table);
      t.true(left.includes(`${table}_${nameOfDay(withPending)}`));
      t.false(left.includes(`${table}_${nameOfDay(over)}`));
    }
  },
);

test.serial(
  'partitions of the next days are created once, but not for a day whose rows are in another partition',
  async (t) => {
    const { database } = server();
    // The date is read only once, because midnight may pass during the test.
    const today = dayOf(new Date());
    const [created, blocked] = [6, 7].map((days) => nameOfDay(addDays(today, days))) as [string, string];
    await database.query(`drop table if exists event_${created}, event_${blocked}`);
    await database.query(
      `insert into event (id, merchant_id, mode, name, body, created_at) values ($1, gen_random_uuid(), 'test', 'x', '{', now())`,
      [firstIdAt(addDays(today, 7))],
    );

    await Promise.all([1, 2].map(() => makeDays(withFreshEntityManager(server().context))));

    const names = await partitionsOf('event');
    t.true(names.includes(`event_${created}`));
    t.false(names.includes(`event_${blocked}`));
  },
);
