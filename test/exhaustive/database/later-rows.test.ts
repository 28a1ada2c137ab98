/** Tests that the service copes with rows of a later version, which have unknown columns and values. */
import test, { type ExecutionContext } from 'ava';
import type { Database } from '../../support/database/database.ts';
import { waitForRefund } from '../../support/money/refunds.ts';
import { fundedMerchant, recipient, waitForTransfer } from '../../support/money/transfers.ts';
import { insertDeliveries, makeDeliveriesDue, payOnce, waitForDeliveries } from '../../support/receivers/deliveries.ts';
import { startReceiver } from '../../support/receivers/receiver.ts';
import { loggedErrors } from '../../support/server/logged-errors.ts';
import { startOwnServer, startServer, type TestServer } from '../../support/server/tillhook.ts';

/** Each column gets a separate transaction: a transaction that locks several tables may deadlock with a call. */
async function addColumns(database: Database): Promise<void> {
  const tables = await database.query<{ name: string }>(`
    select oid::regclass::text as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
      and relname <> 'agenda_jobs'`);
  for (const { name } of tables)
    await database.query(`alter table ${name} add column of_a_later_version text not null default 'new'`);
}

async function allowAllValues(database: Database): Promise<void> {
  const checks = await database.query<{ table: string; name: string }>(`
    select conrelid::regclass::text as table, quote_ident(conname) as name from pg_constraint
    where contype = 'c' and connamespace = 'public'::regnamespace and pg_get_constraintdef(oid) ~ '= ANY'
      and conislocal`);
  for (const { table, name } of checks) await database.query(`alter table ${table} drop constraint ${name}`);
}

test('the service keeps working while every table gets a column that this version does not know', async (t) => {
  const server = await startOwnServer(t);
  const receiver = await startReceiver();
  t.teardown(() => receiver.stop());
  const merchant = await fundedMerchant(server, 10_000);
  const { client } = merchant;
  await client.webhookEndpoints.register({ url: receiver.url });
  const flow = async (name: string) => {
    const reference = await payOnce(client);
    const refund = await client.refunds.create(reference, { amount: 100 });
    await waitForRefund('completed', merchant, refund.reference);
    await client.transfers.create({ reference: `transfer-${name}`, amount: 100, recipient: recipient() });
    await waitForTransfer('completed', merchant, `transfer-${name}`);
    await waitForDeliveries(client);
  };
  // The first calls prepare statements on the connections of the pool before the columns are added.
  await flow('before');
  const seen = receiver.deliveries.length;
  const errors = loggedErrors(server);

  await addColumns(server.database);
  await flow('after');

  // Agenda logs `execution of …` about a job that took some seconds, as happens on a slow machine.
  t.deepEqual(
    errors.filter((message) => !message.startsWith('execution of')),
    [],
  );
  t.is(receiver.deliveries.length, 2 * seen);
});

/** Outside production, a server refuses to return a value that its contract does not list. */
const inProduction = { NODE_ENV: 'production' };

async function read(t: ExecutionContext, { url }: TestServer, { path, key }: { path: string; key: string }) {
  const response = await fetch(`${url}/api/v1${path}`, { headers: { authorization: `Bearer ${key}` } });
  t.is(response.status, 200, path);
  return response.text();
}

test('an event whose name this version does not know is delivered and listed', async (t) => {
  const server = await startServer(t, inProduction);
  const receiver = await startReceiver();
  t.teardown(() => receiver.stop());
  const merchant = await server.createMerchant();
  const { client, testKey } = merchant;
  const { id: webhookId } = await client.webhookEndpoints.register({ url: receiver.url });

  const [id = ''] = await insertDeliveries(server, merchant, {
    webhookId,
    status: 'pending',
    event: 'subscription.renewed',
  });
  await makeDeliveriesDue(server, webhookId);
  await waitForDeliveries(client);

  t.is(JSON.parse(String(receiver.deliveries[0]?.body)).event, 'subscription.renewed');
  for (const path of [`/webhook-deliveries/${id}`, '/webhook-deliveries?status=delivered', '/events'])
    t.regex(await read(t, server, { path, key: testKey }), /"subscription\.renewed"/);
});

const values: [table: string, column: string, path: string][] = [
  ['payment', 'review_reason', '/payments'],
  ['payment', 'expiry_reason', '/payments'],
  ['payment', 'failure_code', '/payments'],
  ['refund', 'failure_code', '/refunds'],
  ['transfer', 'failure_code', '/transfers'],
  ['delivery', 'status_reason', '/webhook-deliveries'],
  ['webhook_endpoint', 'disabled_reason', '/merchant-webhooks'],
  ['ledger_entry', 'type', '/wallets/transfer/entries'],
];

test('enum values that a later version added are returned unchanged', async (t) => {
  const server = await startServer(t);
  const merchant = await fundedMerchant(server, 10_000);
  const { client, testKey: key } = merchant;
  await client.webhookEndpoints.register({ url: 'http://127.0.0.1:9/' });
  const reference = await payOnce(client);
  const refund = await client.refunds.create(reference, { amount: 100 });
  await waitForRefund('completed', merchant, refund.reference);
  await client.transfers.create({ reference: 'transfer-1', amount: 100, recipient: recipient() });
  await waitForDeliveries(client);
  await server.stop();
  const reader = await startServer(t, { ...inProduction, ROLE: 'api', DATABASE_URL: server.database.url });

  await allowAllValues(server.database);
  for (const [table, column, path] of values) {
    await server.database.query(`alter table ${table} disable trigger user`);
    await server.database.query(`update ${table} set ${column} = 'of_a_later_version'`);
    t.regex(await read(t, reader, { path, key }), /"of_a_later_version"/, `${table}.${column}`);
  }
});
