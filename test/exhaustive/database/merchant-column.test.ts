/** Tests that each statement of the hot paths has the merchant's id, as a distributed Postgres needs it. */
// See docs/decisions/database.md, "Statements of the hot paths name the merchant".
import { claim, firstEndpoint } from '@tillhook/server/src/webhooks/queue/claim.ts';
import test from 'ava';
import { startStatementList } from '../../support/database/statement-list.ts';
import { eventually } from '../../support/eventually.ts';
import { payByForm } from '../../support/money/hosted-page.ts';
import { startCheckout } from '../../support/money/payments.ts';
import { recipient } from '../../support/money/transfers.ts';
import { startReceiver } from '../../support/receivers/receiver.ts';
import { ownServerForFile, type TestMerchant } from '../../support/server/tillhook.ts';
import { findPostgres } from '../../support/shared-fixtures.ts';

const list = await startStatementList(await findPostgres());
const server = ownServerForFile({ ROLE: 'api', DELIVERY_DIRECT: 'on', RATE_LIMITS: 'on' }, list.reach);

const withoutColumn = [
  'delivery_attempt',
  'event_order',
  'ledger_entry',
  'merchant',
  'payment_attempt',
  'payment_hour_progress',
  'pending_delivery',
  'rate_limit',
];

/** Statements that may lack the merchant's id, each with the reason. */
const exceptions: [RegExp, string][] = [
  [/^select .* from "?api_key"? .*hash/, 'A key identifies the caller'],
  [/^select .* from payment .*where (payment|p)\.access_code = /, "A customer's address has only the access code"],
  [/^select .* from payment_attempt join payment /, 'A verdict has only the id of the attempt'],
  [/^select .* from "payment" as "p0" where "p0"\."id" = /, 'An attempt has only the id of its payment'],
  [
    /^select .* from "ledger_entry" as "l0" inner join "ledger_transaction" /,
    'An entry has only the id of its transaction',
  ],
  // A distributed Postgres refuses `for update` on several shards, so each claim would take rows of one merchant.
  [/^with recursive busy as /, 'A claim takes deliveries of all merchants'],
  [/^with result as /, 'A batch has the results of several merchants'],
];

interface Use {
  table: string;
  isNamed: boolean;
}

const usePattern = /\b(from|join|into|update|using) (?:only )?"?([a-z_]+)"?/g;

function usesIn(statement: string): Use[] {
  const text = statement.toLowerCase();
  return queriesIn(text).flatMap((query) =>
    [...query.matchAll(usePattern)].map(([, , table = '']) => ({ table, isNamed: namesMerchant(query) })),
  );
}

function queriesIn(statement: string): string[] {
  let text = statement;
  const subqueries: string[] = [];
  const isQuery = /^\(\s*(select|insert|update|delete|with)\b/;
  const open: number[] = [];
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] === '(') open.push(at);
    if (text[at] !== ')') continue;
    const from = open.pop() ?? 0;
    const inner = text.slice(from, at + 1);
    if (!isQuery.test(inner)) continue;
    subqueries.push(...queriesIn(inner.slice(1, -1)));
    // Spaces replace the subquery, so that the positions in the text after it stay valid.
    text = text.slice(0, from) + ' '.repeat(inner.length) + text.slice(at + 1);
  }
  return [text, ...subqueries];
}

/** A condition on the column `merchant_id` is needed; selecting the column is not enough. */
function namesMerchant(query: string): boolean {
  const inserted = /\binto "?[a-z_]+"?\s*\(([^)]*)\)/.exec(query);
  if (inserted) return /\bmerchant_id\b/.test(inserted[1] ?? '');
  const conditions = query.slice(Math.max(query.search(/\b(where|on)\b/), 0));
  return /\bmerchant_id"?\s*(=|in\b)/.test(conditions);
}

const isExcepted = (statement: string) => exceptions.some(([beginning]) => beginning.test(statement));

async function merchantWithEndpoint(url: string): Promise<TestMerchant> {
  const merchant = await server().createMerchant();
  await merchant.client.webhookEndpoints.register({ url });
  return merchant;
}

async function useHotPaths(merchant: TestMerchant): Promise<void> {
  const { client } = merchant;
  const { checkoutUrl } = await startCheckout(merchant, 'order-1');
  await payByForm(checkoutUrl, '4242424242424242');
  await startCheckout(merchant, 'order-2');
  await client.testHelpers.completePayment('order-2');
  await eventually(async () => (await client.deliveries.list({ status: 'delivered' })).total, 3);
  await claim(server().context as never, {
    slots: 10,
    slotsPerEndpoint: 10,
    slotsOf: new Map(),
    excluded: [],
    after: firstEndpoint,
  });
  const { payments } = await client.payments.list({ status: 'completed', customerEmail: 'ada@example.com' });
  await client.payments.list({ limit: 1, offset: 1 });
  await client.payments.list({ after: payments[0]?.id ?? '' });
  await client.payments.get('order-1');
  const { deliveries } = await client.deliveries.list({ event: 'checkout.success' });
  await client.deliveries.list({ after: deliveries[0]?.id ?? '', reference: 'order-1' });
  await client.deliveries.get(deliveries[0]?.id ?? '');
  const { events } = await client.events.list({ reference: 'order-1' });
  await client.events.list({ after: events[0]?.id ?? '' });
  await client.events.list({ after: events[0]?.id ?? '', order: 'desc' });
  await client.events.get(events[0]?.id ?? '');
  const { transfers } = await client.transfers.list({ reference: 'transfer-0' });
  await client.transfers.list({ after: transfers[0]?.id ?? '' });
  const { refunds } = await client.refunds.list({ paymentReference: 'order-0' });
  await client.refunds.list({ after: refunds[0]?.id ?? '' });
  const { entries } = await client.wallets.listEntries('transfer', { reference: 'transfer-0' });
  await client.wallets.listEntries('transfer', { after: entries[0]?.id ?? '' });
}

async function addRecords(merchant: TestMerchant): Promise<void> {
  const { client } = merchant;
  await startCheckout(merchant, 'order-0');
  await client.testHelpers.completePayment('order-0');
  await client.refunds.create('order-0', { amount: 1 });
  await client.testHelpers.fundWallet({ amount: 1000 });
  await client.transfers.create({ amount: 1, reference: 'transfer-0', recipient: recipient() });
}

test("each statement of the hot paths has the merchant's id in its conditions, or is a known exception", async (t) => {
  const receiver = await startReceiver();
  t.teardown(() => receiver.stop());
  const merchant = await merchantWithEndpoint(receiver.url);
  const columns = await server().database.query<{ name: string; has_merchant: boolean }>(
    `select table_name as name, bool_or(column_name = 'merchant_id') as has_merchant
     from information_schema.columns where table_schema = 'public' group by 1`,
  );
  const tables = new Map(columns.map(({ name, has_merchant }) => [name, has_merchant]));

  await addRecords(merchant);
  const sent = await list.during(() => useHotPaths(merchant));

  const statements = [...new Set(sent)];
  const uses = statements.flatMap((statement) =>
    usesIn(statement)
      .filter(({ table }) => tables.has(table))
      .map((use) => ({ ...use, statement })),
  );
  const unnamed = uses.filter(({ table, isNamed }) => tables.get(table) && !isNamed);
  t.deepEqual(
    unnamed.filter(({ statement }) => !isExcepted(statement)).map(({ table, statement }) => `${table}: ${statement}`),
    [],
  );
  t.deepEqual([...new Set(uses.map(({ table }) => table).filter((table) => !tables.get(table)))].sort(), withoutColumn);
  for (const [beginning, reason] of exceptions)
    t.true(
      unnamed.some(({ statement }) => beginning.test(statement)),
      `${reason}: no statement needs this exception`,
    );
});
