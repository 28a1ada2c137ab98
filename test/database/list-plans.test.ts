/** How Postgres finds the pages of long lists: by an index, without reading or sorting all rows of the table. */

import { listAuditEntries } from '@tillhook/server/src/audit/audit.service.ts';
import { closeHours } from '@tillhook/server/src/delivery/close-hours.job.ts';
import { listDeliveries } from '@tillhook/server/src/delivery/deliveries.service.ts';
import { listEvents } from '@tillhook/server/src/delivery/events.service.ts';
import { countPaymentHours } from '@tillhook/server/src/payments/count-payment-hours.job.ts';
import { listPayments } from '@tillhook/server/src/payments/payments.service.ts';
import { getOverview } from '@tillhook/server/src/statistics/overview.service.ts';
import { listTransfers } from '@tillhook/server/src/transfers/transfers.service.ts';
import { listWalletEntries } from '@tillhook/server/src/wallets/statement.service.ts';
import test from 'ava';
import { contextAt } from '../statistics/owners.ts';
import { serverForFile } from '../support/tillhook.ts';
import { fillLists, type Known } from './filled-lists.ts';
import { noteStatements, type Statement } from './noted-statements.ts';

const server = serverForFile({ ROLE: 'api' });
const hourMs = 3_600_000;
const now = new Date();
const ago = (hours: number) => new Date(now.getTime() - hours * hourMs).toISOString();
/** Far more than a page needs, and far fewer than the merchant has. */
const mostSorted = 1500;

type Context = ReturnType<typeof contextAt>;
type List = (context: Context, page: { limit: number; offset: number }) => Promise<unknown>;

function listsOf({ endpointId: webhookId, eventId, reference }: Known): Record<string, List> {
  const time = { from: ago(20.5), to: ago(4.2) };
  const lists: Record<string, List> = { overview: (context) => getOverview(context, 1) };
  const add = (name: string, filters: object[], list: (filter: object) => List) => {
    for (const filter of filters) lists[`${name} ${JSON.stringify(filter)}`] = list(filter);
  };
  const amount = { minAmount: 10, maxAmount: 20 };
  add(
    'payments',
    [
      {},
      { status: 'failed' },
      time,
      { status: 'completed', ...time },
      amount,
      { customerEmail: 'a@b.co' },
      { reference },
    ],
    (filter) => (context, page) => listPayments(context, filter, page),
  );
  add('transfers', [{}, time, { reference }], (filter) => (context, page) => listTransfers(context, filter, page));
  add(
    'deliveries',
    [
      ...[{}, { order: 'asc' }, time, { webhookId }, { eventId }, { reference }, { event: 'checkout.failed' }],
      ...['pending', 'delivered', 'failed'].map((status) => ({ status })),
      { webhookId, status: 'failed', event: 'checkout.failed', ...time },
    ],
    (filter) => (context, page) => listDeliveries(context, filter, page),
  );
  add(
    'events',
    [{}, time, { event: 'checkout.failed' }, { reference }],
    (filter) => (context, page) => listEvents(context, filter, page),
  );
  add(
    'entries',
    [{}, time, { reference }],
    (filter) => (context, page) => listWalletEntries(context, 'collection', { page, filter }),
  );
  add('audit', [{}, time], (filter) => (context, page) => listAuditEntries(context, filter, page));
  return lists;
}

interface Node {
  'Node Type': string;
  'Relation Name'?: string;
  'Plan Rows': number;
  Plans?: Node[];
}

/** What a plan does that takes the longer, the more rows there are. */
const faultsIn = (node: Node, longTables: readonly string[]): string[] => [
  ...(node['Node Type'].endsWith('Seq Scan') && longTables.includes(node['Relation Name'] ?? '')
    ? [`reads all of ${node['Relation Name']}`]
    : []),
  ...(node['Node Type'] === 'Sort' && node['Plan Rows'] > mostSorted ? [`sorts ${node['Plan Rows']} rows`] : []),
  ...(node.Plans ?? []).flatMap((part) => faultsIn(part, longTables)),
];

/** Of the last day, events have a table apart. */
async function listLongTables(): Promise<string[]> {
  const tables = await server().database.query<{ name: string }>(
    `select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace and reltuples > 2000`,
  );
  return tables.map(({ name }) => name);
}

async function faultsOf({ text, values }: Statement, longTables: readonly string[]): Promise<string[]> {
  const [row] = await server().database.query<{ 'QUERY PLAN': [{ Plan: Node }] }>(
    `explain (format json) ${text}`,
    values,
  );
  if (!row) throw new Error('A statement has a plan.');
  return faultsIn(row['QUERY PLAN'][0].Plan, longTables).map((fault) => `${fault}: ${text}`);
}

test('every list finds its pages by an index', async (t) => {
  const { id: merchantId } = await server().createMerchant();
  const known = await fillLists(server().database, merchantId);
  const context = () => contextAt(server(), { now, merchantId });
  await Promise.all([closeHours(context()), countPaymentHours(context())]);
  await server().database.query('analyze delivery_hour, delivery_hour_count, payment_hour_count');
  const longTables = await listLongTables();
  const { orm, statements } = await noteStatements(server().database.url);
  t.teardown(() => orm.close());

  for (const [name, list] of Object.entries(listsOf(known))) {
    for (const offset of [0, 1000]) {
      const noted = await statements(() => list({ ...context(), em: orm.em.fork() }, { limit: 20, offset }));
      t.true(noted.length > 0);
      for (const statement of noted) t.deepEqual(await faultsOf(statement, longTables), [], `${name} from ${offset}`);
    }
  }
});
