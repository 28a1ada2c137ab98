import test from 'ava';
import { parse } from 'csv-parse/sync';
import { paidMerchant } from '../support/money/refunds.ts';
import { runTillhook } from '../support/server/command.ts';
import { serverWithoutWorker } from '../support/server/tillhook.ts';

/** A server that runs no jobs, so that refunds stay pending. */
const server = serverWithoutWorker();
const on = (group: string, ...args: string[]) => runTillhook({ DATABASE_URL: server().database.url }, group, ...args);
const payments = (...args: string[]) => on('payments', ...args);
const refunds = (...args: string[]) => on('refunds', ...args);

test('payments list shows a merchant’s payments that match, newest first, and with --csv all of them as a file', async (t) => {
  const { id, client } = await server().createMerchant();
  await server().createMerchant();
  for (const reference of ['order-1', 'order-2', 'order-3']) {
    await client.checkout.create({ email: 'ada@example.com', amount: 105, reference, description: '=1' });
  }
  await client.testHelpers.completePayment('order-2');
  await client.payments.cancel('order-3');
  const wanted = ['list', '--mode', 'test', '--merchant', id];

  const shown = await payments(...wanted);
  const file = await payments(...wanted, '--csv', '--json');
  const completed = await payments(...wanted, '--status', 'completed', '--from', '2020-01-01', '--json');

  const inOrder = ['order-3', 'order-2', 'order-1'];
  const lines = shown.stdout.trim().split('\n');
  t.deepEqual(
    lines.slice(1).map((line) => line.split(/ +/).slice(0, 4).join(' ')),
    ['order-3 expired NGN 1.05', 'order-2 completed NGN 1.05', 'order-1 pending NGN 1.05'],
  );
  const rows: Record<string, string>[] = parse(file.stdout, { columns: true, record_delimiter: '\r\n' });
  t.deepEqual(
    rows.map(({ reference }) => reference),
    inOrder,
  );
  t.like(rows[0], { description: "'=1", amountDecimal: '1.05' });
  t.deepEqual(
    JSON.parse(completed.stdout).map((payment: { reference: string }) => payment.reference),
    ['order-2'],
  );
  t.regex((await payments(...wanted, '--to', '2020-01-01')).stderr, /No payment matches/);
});

test('payments list needs a mode, a merchant where there are several, and a real time', async (t) => {
  const { id } = await server().createMerchant();
  await server().createMerchant();

  t.is((await payments('list')).code, 2);
  t.is((await payments('list', '--mode', 'test', '--from', 'yesterday', '--merchant', id)).code, 2);
  const unnamed = await payments('list', '--mode', 'test');
  t.is(unnamed.code, 1);
  t.regex(unnamed.stderr, /more than one merchant/);
});

test('refunds list shows the refunds of a merchant that match, newest first, and refunds show shows one', async (t) => {
  const { id, client } = await paidMerchant(server(), 1000);
  await client.refunds.create('order-1042', { amount: 105, reference: 'refund-1' });
  await client.refunds.create('order-1042', { amount: 200, reference: 'refund-2', reason: 'Late' });
  const of = ['--mode', 'test', '--merchant', id];

  const shown = await refunds('list', ...of);
  const failed = await refunds('list', ...of, '--status', 'failed');
  const one = await refunds('show', 'refund-2', ...of);
  const asJson = await refunds('show', 'refund-2', ...of, '--json');
  const missing = await refunds('show', 'refund-3', ...of);

  t.deepEqual(
    shown.stdout
      .trim()
      .split('\n')
      .slice(1)
      .map((line) => line.split(/ +/).slice(0, 6).join(' ')),
    ['refund-2 order-1042 pending NGN 2.00 api', 'refund-1 order-1042 pending NGN 1.05 api'],
  );
  t.regex(failed.stderr, /No refund matches/);
  t.regex(one.stdout, /^reason +Late$/m);
  t.like(JSON.parse(asJson.stdout), { reference: 'refund-2', amount: 200, origin: 'api' });
  t.is(missing.code, 1);
});

test('refunds list needs a mode', async (t) => {
  t.is((await refunds('list')).code, 2);
});
