import { readContract } from '@tillhook/openapi';
import test from 'ava';
import { parse } from 'csv-parse/sync';
import { newIds } from '../support/database/new-ids.ts';
import { eventually } from '../support/eventually.ts';
import { paidMerchant, waitForRefund } from '../support/money/refunds.ts';
import { fundedMerchant, recipient } from '../support/money/transfers.ts';
import { insertDeliveries, unreachableUrl } from '../support/receivers/deliveries.ts';
import { serverForFile, startServer, type TestMerchant, type TestServer } from '../support/server/tillhook.ts';
import { signIn } from '../support/users/session.ts';

const server = serverForFile();
const { operations } = readContract().model;
const withCsv = operations.filter(({ success }) => success.csv);

const paths: Record<string, string> = {
  listWalletEntries: '/api/v1/wallets/transfer/entries',
  // The sign-in of the caller is in the audit log.
  listAuditEntries: '/api/v1/dashboard/audit-entries?subject=none',
};

async function csvOf({ testKey: key }: TestMerchant, path: string, accept = 'text/csv') {
  const response = await server().request(path, { key, headers: { accept } });
  const text = await (response as Response).text();
  return { response, text };
}

function insertPayments({ database }: TestServer, { id }: TestMerchant, count: number) {
  return database.query(
    `insert into payment (id, merchant_id, mode, reference, access_code, amount, currency, status, customer_email, metadata,
       attempts, expires_at, created_at, updated_at)
     select new_id, $1, 'test', 'order-' || n, gen_random_uuid(), n, 'NGN', case n % 2 when 0 then 'failed' else 'expired' end,
       'ada@example.com', '{}', 0, now(), now(), now() from unnest($2::uuid[]) with ordinality as given (new_id, n)`,
    [id, newIds(count)],
  );
}

type Line = Record<string, string>;

async function linesOf(merchant: TestMerchant, path: string): Promise<Line[]> {
  const { response, text } = await csvOf(merchant, path);
  if (response.status !== 200) throw new Error(`${response.status} ${text}`);
  return parse(text, { columns: true, record_delimiter: '\r\n' }) as Line[];
}

test('seven lists can be read as CSV', (t) => {
  t.deepEqual(
    withCsv.map(({ id }) => id),
    [
      'listPayments',
      'listRefunds',
      'listCustomers',
      'listDeliveries',
      'listTransfers',
      'listWalletEntries',
      'listAuditEntries',
    ],
  );
});

for (const { id, path, success } of withCsv) {
  test(`${id}: a CSV file without records is one line with the columns of the contract`, async (t) => {
    const { call } = await signIn(server());

    const response = await call(paths[id] ?? path, { headers: { accept: 'text/csv' } });
    const text = await (response as Response).text();

    t.is(text, `${Object.keys(success.csv?.schema['x-columns'] ?? {}).join(',')}\r\n`);
    t.is(response.headers.get('content-type'), 'text/csv; charset=utf-8; header=present');
    const file = path.split('/').at(-1);
    t.is(response.headers.get('content-disposition'), `attachment; filename="${file}.csv"`);
    t.is(response.headers.get('vary'), 'Accept');
  });
}

test('the CSV line of a payment has the values of its record, but no link to the checkout', async (t) => {
  const merchant = await server().createMerchant();
  const { data } = await merchant.client.checkout.create({
    email: 'ada@example.com',
    amount: 1_999,
    currency: 'USD',
    description: 'Two “tickets”, with a "quote",\r\na line break and 🎟',
    metadata: { cart: '7, 8' },
    lineItems: [{ name: 'Ticket, "blue"', quantity: 1, unitAmount: 1_999 }],
  });
  const { paymentMethod, metadata, lineItems, checkoutUrl, receiptUrl, ...payment } =
    await merchant.client.testHelpers.completePayment(data.reference);

  const [line, ...others] = await linesOf(merchant, '/api/v1/payments');

  t.deepEqual(others, []);
  const decimals = { amountDecimal: '19.99', amountRefundedDecimal: '0.00' };
  const texts = Object.entries({ ...payment, ...decimals }).map(([name, value]) => [name, `${value ?? ''}`]);
  t.deepEqual(line, {
    ...Object.fromEntries(texts),
    'paymentMethod.type': 'card',
    'paymentMethod.brand': 'visa',
    'paymentMethod.last4': '4242',
    'paymentMethod.operator': '',
    metadata: '{"cart":"7, 8"}',
    lineItems: '[{"name":"Ticket, \\"blue\\"","quantity":1,"unitAmount":1999}]',
  });
  t.deepEqual([paymentMethod?.brand, metadata, checkoutUrl], ['visa', { cart: '7, 8' }, null]);
  t.is(lineItems[0]?.name, 'Ticket, "blue"');
  t.regex(`${receiptUrl}`, /\/checkout\//);
});

test('the CSV line of a refund has the values of its record', async (t) => {
  const merchant = await paidMerchant(server(), 1000);
  const details = { amount: 105, reference: 'refund-1', reason: '=1', metadata: { ticket: '7' } };
  const { metadata, ...refund } = await merchant.client.refunds.create('order-1042', details);

  await waitForRefund('completed', merchant, 'refund-1');
  const lines = await linesOf(merchant, '/api/v1/refunds');

  const { updatedAt, completedAt } = await merchant.client.refunds.get('refund-1');
  const ended = { status: 'completed', updatedAt, completedAt };
  const record = { ...refund, ...ended, reason: "'=1", amountDecimal: '1.05' };
  const texts = Object.entries(record).map(([name, value]) => [name, `${value ?? ''}`]);
  t.deepEqual(lines, [{ ...Object.fromEntries(texts), metadata: '{"ticket":"7"}' }]);
});

test('the CSV line of a transfer has the values of its record', async (t) => {
  const merchant = await fundedMerchant(server());
  const {
    recipient: to,
    metadata,
    ...transfer
  } = await merchant.client.transfers.create({
    reference: 'payout-77',
    amount: 105,
    recipient: recipient('0000000002'),
    metadata: { invoice: '7' },
  });

  const lines = await linesOf(merchant, '/api/v1/transfers');

  const ended = { status: lines[0]?.status, updatedAt: lines[0]?.updatedAt };
  const record = { ...transfer, ...ended, amountDecimal: '1.05', feeDecimal: '0.00' };
  const texts = Object.entries(record).map(([name, value]) => [name, `${value ?? ''}`]);
  t.deepEqual(lines, [
    {
      ...Object.fromEntries(texts),
      'recipient.name': to.name,
      'recipient.accountNumberLast4': '0002',
      'recipient.bankCode': '058',
      metadata: '{"invoice":"7"}',
    },
  ]);
});

test('the CSV file of deliveries has the values of each record that matches, and that of the audit log escapes formulas', async (t) => {
  const ada = await signIn(server());
  const { client } = ada.merchant;
  const { id } = await client.webhookEndpoints.register({ url: unreachableUrl });
  await insertDeliveries(server(), ada.merchant, { webhookId: id, count: 3 });
  await ada.call('/api/v1/dashboard/settings', {
    method: 'PATCH',
    json: { name: 'Ada’s Bookshop' },
    headers: { 'user-agent': '=cmd' },
  });

  const lines = await linesOf(ada.merchant, `/api/v1/webhook-deliveries?webhookId=${id}&limit=1`);
  const { deliveries } = await client.deliveries.list();
  const entries = await ada.call('/api/v1/dashboard/audit-entries?action=updateSettings', {
    headers: { accept: 'text/csv' },
  });

  t.is(lines.length, 3);
  t.deepEqual(
    lines,
    deliveries.map((record) =>
      Object.fromEntries(Object.keys(lines[0] ?? {}).map((name) => [name, `${record[name as 'id'] ?? ''}`])),
    ),
  );
  const [entry, ...others]: Line[] = parse(await (entries as Response).text(), { columns: true });
  t.deepEqual(others, []);
  t.like(entry, {
    action: 'updateSettings',
    'actor.type': 'user',
    'actor.email': ada.email,
    mode: '',
    browser: "'=cmd",
  });
});

test('the CSV file of a wallet has each entry with its balance, newest first, and negative amounts are numbers', async (t) => {
  const merchant = await fundedMerchant(server());
  await merchant.client.transfers.create({ reference: 'payout-1', amount: 300, recipient: recipient('0000000002') });

  const lines = await linesOf(merchant, '/api/v1/wallets/transfer/entries');

  t.deepEqual(
    lines.map(({ type, amount, amountDecimal, balance, balanceDecimal, currency, kind }) =>
      [type, amount, amountDecimal, balance, balanceDecimal, currency, kind].join(' '),
    ),
    ['transfer -300 -3.00 700 7.00 NGN transfer', 'test_funding 1000 10.00 1000 10.00 NGN transfer'],
  );
  const { entries } = await merchant.client.wallets.listEntries('transfer', { reference: 'payout-1' });
  const filtered = await linesOf(merchant, '/api/v1/wallets/transfer/entries?reference=payout-1');
  t.deepEqual(
    filtered.map((line) => line.id),
    entries.map((entry) => entry.id),
  );
});

test('a CSV file has all records that match, each once and in the order of the list, whatever `limit` and `offset` are', async (t) => {
  const merchant = await server().createMerchant();
  await insertPayments(server(), merchant, 4100);
  const stranger = await server().createMerchant();
  await stranger.client.checkout.create({ email: 'eve@example.com', amount: 1 });

  const lines = await linesOf(merchant, '/api/v1/payments?status=failed&minAmount=101&limit=5&offset=50');

  const expected = Array.from({ length: 2000 }, (_, index) => `order-${4100 - 2 * index}`);
  t.deepEqual(
    lines.map((line) => line.reference),
    expected,
  );
});

test('a text in a CSV file that a spreadsheet would run as a formula is escaped', async (t) => {
  const merchant = await server().createMerchant();
  const texts = [
    ['=1+1', "'=1+1"],
    ['+1', "'+1"],
    ['-1', "'-1"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['\t=1', "'\t=1"],
    ['\r=1', "'\r'=1"],
    ['\n=1', "'\n'=1"],
    ['＝1', "'＝1"],
    ['Blue shirt\n=1', "Blue shirt\n'=1"],
    ['Blue shirt\r\n=1', "Blue shirt\r\n'=1"],
    ['Blue shirt\nred shoe', 'Blue shirt\nred shoe'],
    ['a=1', 'a=1'],
  ] as const;
  for (const [description] of texts) {
    await merchant.client.checkout.create({ email: 'ada@example.com', amount: 1, description });
  }
  await merchant.client.checkout.create({
    email: 'ada@example.com',
    amount: 1,
    description: 'last',
    reference: '=1-1-1',
  });

  const lines = await linesOf(merchant, '/api/v1/payments');

  t.deepEqual(lines.map((line) => line.description).toReversed(), [...texts.map(([, shown]) => shown), 'last']);
  t.is(lines[0]?.reference, "'=1-1-1");
});

test('an invalid request for a CSV file is answered with JSON before any part of the file is sent', async (t) => {
  const merchant = await server().createMerchant();
  await merchant.client.checkout.create({ email: 'ada@example.com', amount: 1, currency: 'USD' });
  const { data } = await merchant.client.checkout.create({ email: 'ada@example.com', amount: 1, currency: 'JPY' });
  await merchant.client.testHelpers.completePayment(data.reference);
  const codeOf = async (path: string, key = merchant.testKey) => {
    const response = await server().request(path, { key, headers: { accept: 'text/csv' } });
    return [response.status, (await response.json()).error.code];
  };

  t.deepEqual(await codeOf('/api/v1/payments?status=paid'), [400, 'invalid_parameter']);
  t.deepEqual(await codeOf('/api/v1/payments', 'sk_test_wrong'), [401, 'invalid_api_key']);
  t.deepEqual(await codeOf('/api/v1/wallets/collection/entries'), [400, 'missing_parameter']);
});

test('only a caller whose Accept header prefers CSV gets CSV', async (t) => {
  const merchant = await server().createMerchant();
  const isCsv = async (accept: string) => {
    const { response } = await csvOf(merchant, '/api/v1/payments', accept);
    return response.headers.get('content-type')?.startsWith('text/csv') ?? null;
  };

  for (const accept of ['text/csv', 'TEXT/CSV', 'text/csv, application/json;q=0.9', 'text/*']) {
    t.true(await isCsv(accept), accept);
  }
  const long = `text/csv, ${'text/html;q=0.5, '.repeat(20)}`;
  for (const accept of [
    '*/*',
    'application/json, text/csv',
    'text/csv;q=0.1, */*',
    'text/html',
    '',
    'text/csv;q=0',
    long,
  ]) {
    t.false(await isCsv(accept), accept);
  }
});

test('a HEAD request gets the headers of the CSV file, and no body', async (t) => {
  const { testKey } = await server().createMerchant();

  const response = await fetch(`${server().url}/api/v1/payments`, {
    method: 'HEAD',
    headers: { authorization: `Bearer ${testKey}`, accept: 'text/csv' },
  });

  t.is(response.status, 200);
  t.is(response.headers.get('content-type'), 'text/csv; charset=utf-8; header=present');
  t.is(await response.text(), '');
});

test('while the caller does not read the CSV file, the server uses no database connection; a failure in the middle breaks off the file', async (t) => {
  const own = await startServer(t, { RATE_LIMITS: 'csv:1/100' });
  const merchant = await own.createMerchant();
  await insertPayments(own, merchant, 40_000);
  const headers = { authorization: `Bearer ${merchant.testKey}`, accept: 'text/csv' };
  const response = await fetch(`${own.url}/api/v1/payments`, { headers });
  const reader = response.body?.getReader();
  t.false((await reader?.read())?.done);
  const busy = `select query from pg_stat_activity where datname = current_database() and state <> 'idle' and pid <> pg_backend_pid()`;
  t.deepEqual(await eventually(() => own.database.query(busy), []), []);

  await own.database.query('alter table payment rename to payment_elsewhere');
  const readRest = async () => {
    while (!(await reader?.read())?.done);
  };
  await t.throwsAsync(readRest, { message: 'terminated' });
  await own.database.query('alter table payment_elsewhere rename to payment');

  const list = (accept: string) => fetch(`${own.url}/api/v1/payments`, { headers: { ...headers, accept } });
  t.is((await list('text/csv')).status, 429);
  t.is((await list('application/json')).status, 200);
});
