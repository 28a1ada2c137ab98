import { getCustomer, listCustomers } from '@tillhook/server/src/money/customers/customers.service.ts';
import { countPaymentHours } from '@tillhook/server/src/money/payments/count-payment-hours.job.ts';
import { listPayments } from '@tillhook/server/src/money/payments/payments.service.ts';
import { listRefunds } from '@tillhook/server/src/money/refunds/refunds.service.ts';
import { listTransfers } from '@tillhook/server/src/money/transfers/transfers.service.ts';
import { countEntries } from '@tillhook/server/src/money/wallets/count-entries.job.ts';
import { listWalletEntries } from '@tillhook/server/src/money/wallets/statement.service.ts';
import { listAuditEntries } from '@tillhook/server/src/people/audit/audit.service.ts';
import { fillSearch } from '@tillhook/server/src/search/fill-search.job.ts';
import { search } from '@tillhook/server/src/search/search.service.ts';
import { getOverview } from '@tillhook/server/src/statistics/overview.service.ts';
import { listEvents } from '@tillhook/server/src/webhooks/events/events.service.ts';
import { closeHours } from '@tillhook/server/src/webhooks/log/close-hours.job.ts';
import { listDeliveries } from '@tillhook/server/src/webhooks/log/deliveries.service.ts';
import test from 'ava';
import { contextAt } from '../statistics/owners.ts';
import { serverWithContext } from '../support/server/tillhook.ts';
import { fillLists, type Known } from './filled-lists.ts';
import { noteStatements } from './noted-statements.ts';
import { faultsOf, listLongTables } from './plan-faults.ts';

const server = serverWithContext({ ROLE: 'api' });
const hourMs = 3_600_000;
const now = new Date();
const ago = (hours: number) => new Date(now.getTime() - hours * hourMs).toISOString();
/** The maximum number of rows that a list may read: far more than a page has, and far fewer than the merchant has. */
const maxRead = 1500;
/**
 * Choice: these lists have no counts by the hour. So a request counts all matching rows, and skips the rows before a
 * page one by one.
 */
const readsAll = /^(transfers|events|audit|customers) /;
/** A page of a rare event covers several hours. In a short table, Postgres reads these hours of all merchants. */
const isOfRareEvent = (name: string) => name === 'deliveries {"event":["checkout.failed"]}';

/** The merchant has an eighth of the records, so a search may read eight records for each of the newest 500. */
const maxReadBySearch = 8 * 500 + 300;

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
      { status: ['failed'] },
      { status: ['failed', 'expired'] },
      time,
      { status: ['completed'], ...time },
      amount,
      { customerEmail: 'a@b.co' },
      { reference },
      { search: 'order-123' },
      { search: 'customer16@', status: ['failed'], ...time },
    ],
    (filter) => (context, page) => listPayments(context, filter, page),
  );
  add(
    'refunds',
    [{ reference }, { customerEmail: 'customer16@example.com' }, { search: 'refund-16' }],
    (filter) => (context, page) => listRefunds(context, filter, page),
  );
  add(
    'customers',
    [{}, { email: 'a@b.co' }, { search: 'customer16' }, { search: 'nothing' }, { order: 'asc' as const }],
    (filter) => (context, page) => listCustomers(context, filter, { ...page, ...orderOf(filter) }),
  );
  lists['one customer'] = async (context) => {
    const { records } = await listCustomers(context, { email: 'customer16@example.com' }, { limit: 1, offset: 0 });
    return getCustomer(context, records[0]?.id ?? '');
  };
  add('transfers', [{}, time, { reference }], (filter) => (context, page) => listTransfers(context, filter, page));
  add(
    'deliveries',
    [
      ...[
        {},
        { order: 'asc' as const },
        time,
        { webhookId },
        { eventId },
        { reference },
        { event: ['checkout.failed'] },
        { search: 'order-123' },
      ],
      ...['pending', 'delivered', 'failed'].map((status) => ({ status: [status] })),
      { webhookId, status: ['failed'], event: ['checkout.failed'], ...time },
    ],
    (filter) => (context, page) => listDeliveries(context, filter, { ...page, ...orderOf(filter) }),
  );
  add(
    'events',
    [{}, time, { event: ['checkout.failed'] }, { reference }, { order: 'asc' as const }, { search: 'order-123' }],
    (filter) => (context, page) => listEvents(context, filter, { ...page, ...orderOf(filter) }),
  );
  // A request that continues a list after a record counts nothing, so no page reads all rows.
  add(
    'feed',
    [{}, { reference }, { wait: 0 }, { search: 'order-123' }],
    (filter) => (context, page) => listEvents(context, filter, { ...page, ...filter, after: eventId, offset: 0 }),
  );
  add(
    'newest',
    [{ wait: 0 }],
    (filter) => (context, page) => listEvents(context, {}, { ...page, ...filter, offset: 0 }),
  );
  add(
    'entries',
    [{}, time, { reference }],
    (filter) => (context, page) => listWalletEntries(context, 'collection', { page, filter }),
  );
  add('audit', [{}, time], (filter) => (context, page) => listAuditEntries(context, filter, page));
  // A rare word is in no newest record, so Postgres reads the index of trigrams.
  for (const typed of ['order', 'order-123', 'customer16@', 'nothing', '7', '₦0.07', 'example.com nothing'])
    lists[`search ${typed}`] = (context) => search(context, typed, { depth: 500 });
  // Where a request counts all matching rows, Postgres finds a period by the times in the ids.
  const short = { from: ago(20.5), to: ago(19.5) };
  lists['an hour of transfers'] = (context, page) => listTransfers(context, short, page);
  lists['an hour of refunds'] = (context, page) => listRefunds(context, short, page);
  lists['an hour of audit'] = (context, page) => listAuditEntries(context, short, page);
  return lists;
}

/** The sort order belongs to the page and not to the filter. */
const orderOf = (query: { order?: 'asc' }) => ({ order: query.order });

test('no list reads all rows to find a page, except the lists of transfers, events, customers and audit entries', async (t) => {
  const { id: merchantId } = await server().createMerchant();
  const known = await fillLists(server().database, merchantId);
  const context = () => contextAt(server(), { now, merchantId });
  const jobs = [closeHours, countPaymentHours, countEntries, fillSearch];
  await Promise.all(jobs.map((run) => run(context())));
  await server().database.query('analyze delivery_hour, delivery_hour_count, payment_hour_count, ledger_quarter_count');
  await server().database.query('vacuum analyze search_record, customer');
  const { database } = server();
  const longTables = await listLongTables(database);
  const { orm, statements } = await noteStatements(server().database.url);
  t.teardown(() => orm.close());

  for (const [name, list] of Object.entries(listsOf(known))) {
    const mayReadAll = readsAll.test(name) || isOfRareEvent(name);
    const most = name.includes('search') ? maxReadBySearch : maxRead;
    // Some lists skip all rows before a page one by one. For a page near the end of such a list, Postgres prefers to
    // sort the list, so the offset of 2000 is left out.
    for (const offset of mayReadAll ? [0, 1000] : [0, 1000, 2000]) {
      const noted = await statements(() => list({ ...context(), em: orm.em.fork() }, { limit: 20, offset }));
      t.true(noted.length > 0);
      for (const statement of noted)
        t.deepEqual(
          await faultsOf(database, statement, { longTables, mayReadAll, maxRead: most, maxSorted: most }),
          [],
          `${name} from ${offset}`,
        );
    }
  }
});
