/** The only code that settles transfers. Status, ledger and event change in one transaction, under the row's lock. */
import { LockMode } from '@mikro-orm/core';
import type { WriteContext } from '../../context.ts';
import { notFound } from '../../kit/errors.ts';
import { notify } from '../../people/notifications/notify.service.ts';
import { run } from '../../platform/database/statement.ts';
import type { PayoutVerdict } from '../../processors/port.ts';
import { publish } from '../../webhooks/queue/publish.ts';
import {
  lockTransferAccounts,
  returnReservedTransfer,
  reverseSettledTransfer,
  settleReservedTransfer,
} from '../wallets/wallets.service.ts';
import { Transfer, type TransferFailure } from './transfer.entity.ts';

/**
 * A lease is longer than any processor takes to answer. If no answer comes, the processor is asked again afterwards.
 */
export const leaseSeconds = 60;

/** Applying the same verdict a second time changes nothing. */
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
      // The transfer was settled during the call to the processor, and needs no next check.
      if (!transfer.isOpen) return transfer;
      if (transfer.status === 'pending') transfer.accept(context.clock.now());
      break;
    case 'completed':
      await complete(context, transfer, verdict.result);
      break;
    case 'failed':
      await fail(context, transfer, verdict);
      break;
    case 'reversed':
      // Verdicts may arrive out of order, so an open transfer is completed before it is reversed.
      if (transfer.isOpen) await lockTransferAccounts(context, transfer);
      await complete(context, transfer, verdict.result);
      await reverse(context, transfer, verdict);
      break;
  }
  await planCheck(context, transfer, verdict.checkAfterSeconds);
  return transfer;
}

async function complete(context: WriteContext, transfer: Transfer, verdict: 'completed' | 'reversed'): Promise<void> {
  if (!transfer.isOpen) {
    if (transfer.status === 'failed') logContradiction(context, transfer, verdict);
    return;
  }
  transfer.complete(context.clock.now());
  await settleReservedTransfer(context, transfer);
  await publishTransferEvent(context, transfer);
}

async function fail(context: WriteContext, transfer: Transfer, failure: TransferFailure): Promise<void> {
  if (!transfer.isOpen) {
    if (transfer.status === 'completed') logContradiction(context, transfer, 'failed');
    return;
  }
  transfer.fail(failure, context.clock.now());
  await returnReservedTransfer(context, transfer);
  await publishTransferEvent(context, transfer);
  await notifyOfFailure(context, transfer, 'failed');
}

async function reverse(context: WriteContext, transfer: Transfer, failure: TransferFailure): Promise<void> {
  if (transfer.status !== 'completed') return;
  transfer.reverse(failure, context.clock.now());
  await reverseSettledTransfer(context, transfer);
  await publishTransferEvent(context, transfer);
  await notifyOfFailure(context, transfer, 'reversed');
}

function notifyOfFailure(context: WriteContext, transfer: Transfer, event: 'failed' | 'reversed'): Promise<void> {
  const { merchantId, mode, reference, amount, currency, recipientName: recipient, failureReason = null } = transfer;
  const details = { event, reference, amount: Number(amount), currency, recipient, reason: failureReason };
  return notify(context, { kind: 'transfer_failed', merchantId, mode, details });
}

/** The merchant already has an event about the earlier verdict, and the code must not guess which verdict is true. */
function logContradiction({ log }: WriteContext, { id, status }: Transfer, verdict: string): void {
  log.error(
    { transferId: id, status, verdict },
    'The verdict of the payout processor contradicts the settled status of a transfer; nothing was changed',
  );
}

/** An open transfer always gets a next check, so that no transfer is forgotten. */
async function planCheck(context: WriteContext, { id, isOpen }: Transfer, afterSeconds?: number): Promise<void> {
  const seconds = afterSeconds ?? (isOpen ? leaseSeconds : null);
  await run(context)`
    update transfer set next_check_at = now() + make_interval(secs => ${seconds}::int)
    where id = ${id}`;
}

async function publishTransferEvent(context: WriteContext, transfer: Transfer): Promise<void> {
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
      failureCode: transfer.failureCode ?? null,
      failureReason: transfer.failureReason ?? null,
    },
    occurredAt: transfer.updatedAt,
    traceparent: transfer.traceparent ?? null,
  });
}
