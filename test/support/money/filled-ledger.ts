import { withFreshEntityManager } from '@tillhook/server/src/context.ts';
import { settleRefund } from '@tillhook/server/src/money/refunds/settle-refund.service.ts';
import { settleTransfer } from '@tillhook/server/src/money/transfers/settle-transfer.service.ts';
import { inTransaction } from '@tillhook/server/src/platform/database/transaction.ts';
import type { PayoutVerdict, RefundVerdict } from '@tillhook/server/src/processors/port.ts';
import type { ServerWithContext, TestMerchant } from '../server/tillhook.ts';
import { startCheckout } from './payments.ts';
import { chargeFee, recipient } from './transfers.ts';

export interface FilledLedger {
  merchant: TestMerchant;
  ids: Record<string, string>;
}

export interface Corruption {
  invariant: number;
  says: string;
  title: string;
  /** A placeholder such as `:completed` stands for an id in `FilledLedger`. */
  sql: string;
  /** The table and, after a space, the row that the check must report: a key of `ids`, or the id itself. */
  row: string;
  found: string | RegExp;
}

/** After this statement, a transaction fires no triggers and checks no foreign keys. */
export const withoutGuards = 'set local session_replication_role = replica;';

export function corrupt({ sql }: Corruption, { ids }: FilledLedger): string {
  return withoutGuards + sql.replaceAll(/:(\w+)/g, (_, name: string) => `'${ids[name]}'`);
}

export function corruptedRow({ row }: Corruption, { ids }: FilledLedger): { table: string; id: string } {
  const [table = '', name = ''] = row.split(' ');
  return { table, id: ids[name] ?? name };
}

const failure = { code: 'account_closed', message: 'Closed' };

/** The server must not run the jobs that settle transfers and refunds, because some of these stay pending. */
export async function fillLedger(server: ServerWithContext): Promise<FilledLedger> {
  const merchant = await server.createMerchant();
  const { client } = merchant;
  await chargeFee(server, merchant, 25);
  for (const reference of ['order-paid', 'order-failed', 'order-expired', 'order-pending'])
    await startCheckout(merchant, reference);
  const { id: completed } = await client.testHelpers.completePayment('order-paid');
  const { id: failedPayment } = await client.testHelpers.failPayment('order-failed');
  const { id: expired } = await client.payments.cancel('order-expired');
  await client.wallets.topUp({ amount: 10_000, reference: 'top-up' });
  const transfers = {
    underWay: await transferOf(server, merchant, { result: 'processing' }),
    paidOut: await transferOf(server, merchant, { result: 'completed' }),
    failed: await transferOf(server, merchant, { result: 'failed', ...failure }),
    reversed: await transferOf(server, merchant, { result: 'reversed', ...failure }),
  };
  const { id: pending } = await client.payments.get('order-pending');
  // The refunded payment has a different currency, so that refunds have separate ledger accounts.
  await client.checkout.create({
    email: 'ada@example.com',
    amount: 10_000,
    currency: 'USD',
    reference: 'order-refunded',
  });
  const { id: refunded } = await client.testHelpers.completePayment('order-refunded');
  const refunds = {
    refundUnderWay: await refundOf(server, merchant, 'open', { result: 'processing' }),
    refundCompleted: await refundOf(server, merchant, 'completed', { result: 'completed' }),
    refundFailed: await refundOf(server, merchant, 'failed', { result: 'failed', ...failure }),
    refundBack: await refundOf(server, merchant, 'back', { result: 'completed' }, { result: 'failed', ...failure }),
  };
  const [written] = await server.database.query<Record<string, string>>(
    `select posting.id as posting, entry.id as entry, entry.account_id as account,
       (select id from ledger_transaction where kind = 'top_up' and merchant_id = $1) as "topUp",
       (select id from ledger_transaction where source_id = $3) as reserve,
       (select id from ledger_transaction where source_id = $4) as "refundReserve",
       (select id from event where name = 'transfer.success' and reference = 'payout-completed' and merchant_id = $1) as success
     from ledger_transaction as posting join ledger_entry as entry on transaction_id = posting.id and amount > 0
     where source_id = $2`,
    [merchant.id, completed, transfers.underWay, refunds.refundUnderWay],
  );
  return {
    merchant,
    ids: {
      merchant: merchant.id,
      completed,
      failedPayment,
      expired,
      pending,
      refunded,
      ...transfers,
      ...refunds,
      ...written,
    },
  };
}

async function transferOf(
  server: ServerWithContext,
  { client }: TestMerchant,
  verdict: PayoutVerdict,
): Promise<string> {
  const { id } = await client.transfers.create({
    reference: `payout-${verdict.result}`,
    amount: 300,
    recipient: recipient('0123456789'),
  });
  await inTransaction(withFreshEntityManager(server.context), (context) => settleTransfer(context, id, verdict));
  return id;
}

async function refundOf(
  server: ServerWithContext,
  { client }: TestMerchant,
  ...[name, ...verdicts]: [name: string, ...verdicts: RefundVerdict[]]
): Promise<string> {
  const { id } = await client.refunds.create('order-refunded', { amount: 300, reference: `refund-${name}` });
  for (const verdict of verdicts)
    await inTransaction(withFreshEntityManager(server.context), (context) => settleRefund(context, id, verdict));
  return id;
}
