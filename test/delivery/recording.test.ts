import type { Claimed } from '@tillhook/server/src/context.ts';
import { newId } from '@tillhook/server/src/kit/ids.ts';
import { inOwnStatement } from '@tillhook/server/src/platform/database/statement.ts';
import { createSending } from '@tillhook/server/src/webhooks/dispatch/sending.ts';
import { claim, firstEndpoint } from '@tillhook/server/src/webhooks/queue/claim.ts';
import test, { type ExecutionContext } from 'ava';
import { Client } from 'pg';
import { eventually } from '../support/eventually.ts';
import {
  attemptsOf,
  createPaidMerchant,
  insertDeliveries,
  makeDeliveriesDue,
} from '../support/receivers/deliveries.ts';
import { receiverFor, startReceiver } from '../support/receivers/receiver.ts';
import { figuresOf } from '../support/server/figures.ts';
import { serverForFile, startServer, startServerWithContext, type TestServer } from '../support/server/tillhook.ts';

const sharedServer = serverForFile();

async function createDeliveriesTo(
  t: ExecutionContext,
  server: TestServer,
  { status, count }: { status: number; count: number },
) {
  const receiver = await startReceiver({ answer: () => ({ status }) });
  t.teardown(() => receiver.stop());
  const merchant = await server.createMerchant();
  const { id: webhookId } = await merchant.client.webhookEndpoints.register({ url: receiver.url });
  await insertDeliveries(server, merchant, { webhookId, count, status: 'pending' });
  const delivered = async () => (await merchant.client.deliveries.list({ status: 'delivered' })).total;
  return { receiver, webhookId, delivered };
}

test('a result that Postgres refuses does not prevent other results from being saved', async (t) => {
  const server = await startServer(t, { DELIVERY_RETRY_DELAYS_MS: '' });
  const good = await createDeliveriesTo(t, server, { status: 200, count: 8 });
  const bad = await createDeliveriesTo(t, server, { status: 418, count: 2 });
  await server.database.query('alter table delivery_attempt add constraint no_teapots check (status_code <> 418)');

  await makeDeliveriesDue(server, bad.webhookId);
  await makeDeliveriesDue(server, good.webhookId);

  await eventually(good.delivered, 8);
  t.is((await figuresOf(server)).get('tillhook_deliveries_total{outcome="delivered"}'), 8);
  t.is(good.receiver.deliveries.length, 8);
  t.deepEqual(
    await server.database.query('select status from delivery where endpoint_id = $1', [bad.webhookId]),
    Array(2).fill({ status: 'pending' }),
  );
});

for (const [what, code] of [
  ['the primary has become a standby', '25006'],
  ['Postgres ends the statement because of a deadlock', '40P01'],
] as const) {
  test(`a result is kept while ${what}, and its delivery is sent once`, async (t) => {
    const server = await startServer(t);
    const { receiver, webhookId, delivered } = await createDeliveriesTo(t, server, { status: 200, count: 3 });
    await server.database.query(`
      create function refuse() returns trigger language plpgsql as $$ begin raise sqlstate '${code}'; end $$;
      create trigger refuse before insert on delivery_attempt for each row execute function refuse()`);
    await makeDeliveriesDue(server, webhookId);
    await receiver.waitFor(3);
    t.is(await delivered(), 0);

    await server.database.query('drop trigger refuse on delivery_attempt');

    await eventually(delivered, 3);
    t.is((await figuresOf(server)).get('tillhook_deliveries_total{outcome="delivered"}'), 3);
    t.is(receiver.deliveries.length, 3);
  });
}

test('a batch of results whose write is too slow is divided into smaller batches, and not into single results', async (t) => {
  const maxFast = 16;
  const server = await startServer(t);
  const { receiver, webhookId, delivered } = await createDeliveriesTo(t, server, { status: 200, count: 64 });
  const refuseMoreThan = (limit: number) =>
    server.database.query(`
      create or replace function measure() returns trigger language plpgsql as $$
      begin
        if (select count(*) from written) > ${limit} then raise sqlstate '57014'; end if;
        insert into batch select count(*) from written;
        return null;
      end $$`);
  await server.database.query('create table batch (size int)');
  await refuseMoreThan(0);
  await server.database.query(`create trigger measure after insert on delivery_attempt
    referencing new table as written for each statement execute function measure()`);
  await makeDeliveriesDue(server, webhookId);
  await receiver.waitFor(64, 30_000);

  await refuseMoreThan(maxFast);

  await eventually(delivered, 64);
  t.is(receiver.deliveries.length, 64);
  const [{ largest } = { largest: 0 }] = await server.database.query<{ largest: number }>(
    'select max(size) as largest from batch',
  );
  t.true(largest > maxFast / 2, `the largest batch that was written had ${largest} results`);
});

test('if a process leases a delivery again while its result waits to be written, the result is written under the new lease', async (t) => {
  const server = await startServerWithContext(t, { ROLE: 'api', DELIVERY_DIRECT: 'off' });
  const { receiver, webhookId, delivered } = await createDeliveriesTo(t, server, { status: 200, count: 1 });
  await makeDeliveriesDue(server, webhookId);
  const wanted = { slots: 1, slotsPerEndpoint: 1, slotsOf: new Map(), excluded: [], after: firstEndpoint };
  const { deliveries } = await inOwnStatement(server.context, (statement) => claim(statement, wanted));
  const sending = createSending(server.context, { onFreeSlot() {}, onDue() {}, otherWorkers: { ring() {} } });
  t.teardown(() => sending.stop(1000));
  const send = (leased: Claimed[]) => {
    const nowMs = performance.now();
    sending.hold(leased, { statementAtMs: nowMs, nowMs });
    sending.sendNext();
  };
  const holder = new Client({ connectionString: server.database.url });
  await holder.connect();
  t.teardown(() => holder.end());
  await holder.query('begin');
  await holder.query('select from pending_delivery for update');

  send(deliveries);
  const waiting = `select from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock' and query like '%delete from pending_delivery%'`;
  await eventually(async () => (await server.database.query(waiting)).length, 1);
  const lease = newId();
  await holder.query('update pending_delivery set lease = $1', [lease]);
  send(deliveries.map((delivery) => ({ ...delivery, lease })));
  await holder.query('commit');

  await eventually(delivered, 1);
  t.is(receiver.deliveries.length, 1);
});

test('an answer with bytes that Postgres cannot store is recorded', async (t) => {
  const receiver = await receiverFor(t, () => ({ status: 200, body: Buffer.from('a\0b\xff', 'latin1') }));
  const { endpoint } = await createPaidMerchant(sharedServer(), receiver);

  await eventually(async () => (await attemptsOf(sharedServer(), endpoint.id)).length, 1);

  t.like(await attemptsOf(sharedServer(), endpoint.id), [{ status_code: 200, status: 'delivered' }]);
});
