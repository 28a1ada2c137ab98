import test from 'ava';
import { parse } from 'csv-parse/sync';
import { runTillhook } from '../support/server/command.ts';
import { serverForFile } from '../support/server/tillhook.ts';

const server = serverForFile();
const tillhook = (...args: string[]) => runTillhook({ DATABASE_URL: server().database.url }, 'payments', ...args);

test('payments list shows a merchant’s payments that match, newest first, and with --csv all of them as a file', async (t) => {
  const { id, client } = await server().createMerchant();
  await server().createMerchant();
  for (const reference of ['order-1', 'order-2', 'order-3']) {
    await client.checkout.create({ email: 'ada@example.com', amount: 105, reference, description: '=1' });
  }
  await client.testHelpers.completePayment('order-2');
  await client.payments.cancel('order-3');
  const wanted = ['list', '--mode', 'test', '--merchant', id];

  const shown = await tillhook(...wanted);
  const file = await tillhook(...wanted, '--csv', '--json');
  const completed = await tillhook(...wanted, '--status', 'completed', '--from', '2020-01-01', '--json');

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
  t.regex((await tillhook(...wanted, '--to', '2020-01-01')).stderr, /No payment matches/);
});

test('payments list needs a mode, a merchant where there are several, and a real time', async (t) => {
  const { id } = await server().createMerchant();
  await server().createMerchant();

  t.is((await tillhook('list')).code, 2);
  t.is((await tillhook('list', '--mode', 'test', '--from', 'yesterday', '--merchant', id)).code, 2);
  const unnamed = await tillhook('list', '--mode', 'test');
  t.is(unnamed.code, 1);
  t.regex(unnamed.stderr, /more than one merchant/);
});
