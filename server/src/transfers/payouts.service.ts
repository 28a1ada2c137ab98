/**
 * The processor's side of a transfer: which ones it is to be asked about, and what its verdict makes of them. When a row is
 * next looked at is one column, kept by the database's clock: a new transfer's first time, a poll's next, or the end of a
 * claim. Status, ledger and event change in one transaction under the transfer's row lock, whichever caller brings the verdict.
 */
import { LockMode } from '@mikro-orm/core';
import type { WriteContext } from '../context.ts';
import { rowsOf, run } from '../database/statement.ts';
import { publish } from '../delivery/queue/publish.ts';
import { notFound } from '../kit/errors.ts';
import type { PayoutVerdict } from '../processors/port.ts';
import { holdTransferAccounts, returnReserved, reverseSettled, settleReserved } from '../wallets/wallets.service.ts';
import { Transfer, type TransferFailure } from './transfer.entity.ts';

/** How many are claimed at once. */
export const batchSize = 10;

/** Longer than any processor takes to answer. Also how long one that gave no answer is left alone. */
const leaseSeconds = 60;

/** Takes the transfers that are due, so that no other process asks about them at the same time. */
export async function claimDueTransfers(context: WriteContext): Promise<Transfer[]> {
  const rows = await rowsOf<{ id: string }>(context)`
    with due as (
      select id from transfer where next_check_at <= now()
      order by next_check_at limit ${batchSize} for update skip locked
    )
    update transfer set next_check_at = now() + make_interval(secs => ${leaseSeconds})
    from due where transfer.id = due.id
    returning transfer.id`;
  return context.em.find(Transfer, { id: { $in: rows.map(({ id }) => id) } });
}

/** The one function that settles a transfer; all callers use it. The same verdict again changes nothing. */
export async function settleTransfer(
  context: WriteContext,
  transferId: string,
  verdict: PayoutVerdict,
): Promise<Transfer> {
  const transfer = await context.em.findOne(Transfer, { id: transferId }, { lockMode: LockMode.PESSIMISTIC_WRITE });
  if (!transfer) throw notFound();
  switch (verdict.result) {
    case 'unknown':
      return transfer;
    case 'processing':
      // An answer that somebody's verdict has overtaken plans nothing: the transfer would be asked about for ever.
      if (!transfer.isOpen) return transfer;
      if (transfer.status === 'pending') transfer.accept(context.clock.now());
      break;
    case 'completed':
      await complete(context, transfer);
      break;
    case 'failed':
      await fail(context, transfer, verdict);
      break;
    case 'reversed':
      // Processors tell things out of order: a transfer that came back was there before.
      if (transfer.isOpen) await holdTransferAccounts(context, transfer);
      await complete(context, transfer);
      await reverse(context, transfer, verdict);
      break;
  }
  await planCheck(context, transfer, verdict.checkAfterSeconds);
  return transfer;
}

async function complete(context: WriteContext, transfer: Transfer): Promise<void> {
  if (!transfer.isOpen) {
    if (transfer.status === 'failed') contradiction(context, transfer, 'completed');
    return;
  }
  transfer.complete(context.clock.now());
  await settleReserved(context, transfer);
  await announce(context, transfer);
}

async function fail(context: WriteContext, transfer: Transfer, failure: TransferFailure): Promise<void> {
  if (!transfer.isOpen) {
    if (transfer.status === 'completed') contradiction(context, transfer, 'failed');
    return;
  }
  transfer.fail(failure, context.clock.now());
  await returnReserved(context, transfer);
  await announce(context, transfer);
}

async function reverse(context: WriteContext, transfer: Transfer, failure: TransferFailure): Promise<void> {
  if (transfer.status !== 'completed') return;
  transfer.reverse(failure, context.clock.now());
  await reverseSettled(context, transfer);
  await announce(context, transfer);
}

/** Money moved, or did not, against what the merchant was told: nothing here may guess which of the two is true. */
function contradiction({ log }: WriteContext, { id, status }: Transfer, verdict: string): void {
  log.error({ transferId: id, status, verdict }, 'a payout processor contradicts how a transfer was settled');
}

/** A transfer that is open is always looked at again: no answer may be the last that was asked for. */
async function planCheck(context: WriteContext, { id, isOpen }: Transfer, afterSeconds?: number): Promise<void> {
  const seconds = afterSeconds ?? (isOpen ? leaseSeconds : null);
  await run(context)`
    update transfer set next_check_at = now() + make_interval(secs => ${seconds}::int)
    where id = ${id}`;
}

async function announce(context: WriteContext, transfer: Transfer): Promise<void> {
  const { merchantId, mode, reference, currency, status, recipientName } = transfer;
  if (status !== 'completed' && status !== 'failed' && status !== 'reversed') return;
  await publish(context, {
    merchantId,
    mode,
    name: status === 'completed' ? 'transfer.success' : 'transfer.failed',
    reference,
    data: {
      reference,
      amount: Number(transfer.amount),
      currency,
      status,
      recipientName,
      failureReason: transfer.failureReason ?? null,
    },
    occurredAt: transfer.updatedAt,
  });
}
