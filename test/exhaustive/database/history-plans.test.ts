/** Tests the query plans of work that reads history in batches: the ledger check, exports, and jobs. */
// `npm run history` examines the same plans with a million payments.
import type { Context, WithPrincipal } from '@tillhook/server/src/context.ts';
import { countPaymentHours } from '@tillhook/server/src/money/payments/count-payment-hours.job.ts';
import { findMissingPayments } from '@tillhook/server/src/money/payments/credit-missing-payments.job.ts';
import { readPayments } from '@tillhook/server/src/money/payments/payments.service.ts';
import { readRefunds } from '@tillhook/server/src/money/refunds/refunds.service.ts';
import { pageOperatorTransfers } from '@tillhook/server/src/money/transfers/operator-transfers.service.ts';
import { readTransfers } from '@tillhook/server/src/money/transfers/transfers.service.ts';
import { checkLedger } from '@tillhook/server/src/money/wallets/check/check-ledger.service.ts';
import { listWalletEntries, readWalletEntries } from '@tillhook/server/src/money/wallets/statement.service.ts';
import { purgeIdempotencyKeys } from '@tillhook/server/src/operation/purge-idempotency-keys.job.ts';
import { inOwnStatement } from '@tillhook/server/src/platform/database/statement.ts';
import { inTransaction } from '@tillhook/server/src/platform/database/transaction.ts';
import { closeHours } from '@tillhook/server/src/webhooks/log/close-hours.job.ts';
import { purgeDeliveries } from '@tillhook/server/src/webhooks/log/purge-deliveries.job.ts';
import test from 'ava';
import { Client } from 'pg';
import { fillLists } from '../../database/filled-lists.ts';
import { noteStatements } from '../../database/noted-statements.ts';
import { examine, listLongTables } from '../../database/plan-faults.ts';
import { contextAt } from '../../statistics/owners.ts';
import type { Database } from '../../support/database/database.ts';
import { serverWithContext } from '../../support/server/tillhook.ts';

const server = serverWithContext({ ROLE: 'api' });
const now = new Date();
const ago = (hours: number) => new Date(now.getTime() - hours * 3_600_000).toISOString();
const batchSize = 200;
/** A step of the ledger check may read the rows of two batches and a few more; each table has 2,500 rows. */
const maxOfStep = 2 * batchSize + 50;
/** A batch of an export has 1,000 rows, but in such a short table Postgres also reads rows of other merchants. */
const maxOfBatch = 9000;

type Work = (context: Context & WithPrincipal) => Promise<unknown>;

interface Task {
  table: string;
  work: Work;
  maxRead: number;
}

async function readAll(batches: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of batches);
}

function tasksOf(merchantId: string, entryId: string): Record<string, Task> {
  const time = { from: ago(29), to: ago(28) };
  const page = { limit: 20, offset: 0 };
  const usual = (table: string, work: Work) => ({ table, work, maxRead: maxOfBatch });
  return {
    'the ledger check of a merchant': {
      table: 'refund',
      work: (context) => inOwnStatement(context, (own) => checkLedger(own, { merchantId, batchSize })),
      maxRead: maxOfStep,
    },
    'the ledger check of all merchants': {
      table: 'refund',
      work: (context) => inOwnStatement(context, (own) => checkLedger(own, { batchSize })),
      maxRead: maxOfStep,
    },
    'payments as CSV': usual('payment', (context) => readAll(readPayments(context, {}))),
    'refunds as CSV': usual('refund', (context) => readAll(readRefunds(context, {}))),
    'transfers as CSV': usual('transfer', (context) => readAll(readTransfers(context, {}))),
    'entries as CSV': usual('ledger_entry', (context) => readAll(readWalletEntries(context, 'collection', {}))),
    'entries of a short period after another entry': {
      table: 'ledger_entry',
      work: (context) => listWalletEntries(context, 'collection', { page: { ...page, after: entryId }, filter: time }),
      maxRead: 300,
    },
    'open transfers of all merchants': {
      table: 'transfer',
      work: (context) => pageOperatorTransfers(context, { mode: 'test' }, page),
      maxRead: 0,
    },
    'missing payments': {
      table: 'payment',
      work: (context) => inTransaction(context, (tx) => findMissingPayments(tx, 1)),
      maxRead: maxOfBatch,
    },
    'missing payments of the week': {
      table: 'payment',
      work: (context) => inTransaction(context, (tx) => findMissingPayments(tx, 7 * 24)),
      // The job looks up the posting of each payment of the week.
      maxRead: 20_000,
    },
    'expired idempotency keys': usual('idempotency_key', purgeIdempotencyKeys),
    // This task removes rows, so it must be the last task.
    'deliveries of the day before': usual('delivery', (context) =>
      purgeDeliveries({ ...context, config: { ...context.config, retentionDays: 1 } }),
    ),
  };
}

/** `enable_seqscan` is off, because Postgres would scan tables this short completely even where an index fits. */
async function openWithoutSequentialScans(url: string): Promise<Pick<Database, 'query'> & { close(): Promise<void> }> {
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query('set enable_seqscan = off');
  return { query: async (text, values) => (await client.query(text, values)).rows, close: () => client.end() };
}

test('work that reads history finds rows by indexes, in small batches', async (t) => {
  const { id: merchantId } = await server().createMerchant();
  await fillLists(server().database, merchantId);
  const context = () => contextAt(server(), { now, merchantId });
  await Promise.all([closeHours(context()), countPaymentHours(context())]);
  const [newest] = await server().database.query<{ id: string }>(
    'select id from ledger_entry where account_id = $1 order by number desc limit 1',
    [merchantId],
  );
  const longTables = await listLongTables(server().database);
  t.true(longTables.length >= 6);
  const { orm, statements } = await noteStatements(server().database.url);
  t.teardown(() => orm.close());
  const database = await openWithoutSequentialScans(server().database.url);
  t.teardown(() => database.close());

  for (const [name, { table, work, maxRead }] of Object.entries(tasksOf(merchantId, newest?.id ?? ''))) {
    const read = new Set<string>();
    const noted = await statements(() => work({ ...context(), em: orm.em.fork() }), /^\s*(select|with|delete)/i);
    t.true(noted.length > 0, name);
    for (const statement of noted) {
      const { faults, tables } = await examine(database, statement, { longTables, mayReadAll: false, maxRead });
      t.deepEqual(faults, [], name);
      for (const each of tables) read.add(each);
    }
    t.true(longTables.includes(table) && read.has(table), `${name} does not scan the long table ${table}`);
  }
});
