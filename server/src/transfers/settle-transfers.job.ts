import type { Context } from '../context.ts';
import { claimInBatches, inTransaction } from '../database/transaction.ts';
import type { Payout, PayoutProcessor, PayoutProcessors, PayoutVerdict } from '../processors/port.ts';
import { batchSize, claimDueTransfers, settleTransfer } from './payouts.service.ts';
import type { Transfer } from './transfer.entity.ts';

/** Brings transfers to the processor and asks what became of them, with no transaction open meanwhile. */
export function settleTransfers(context: Context, processors: PayoutProcessors): Promise<void> {
  return claimInBatches(context, {
    claim: claimDueTransfers,
    batchSize,
    work: (own, transfer) => settle(own, processors[transfer.mode], transfer),
  });
}

async function settle(context: Context, processor: PayoutProcessor | undefined, transfer: Transfer): Promise<void> {
  if (!processor) return;
  try {
    const verdict = await ask(context, processor, transfer);
    await inTransaction(context, (writing) => settleTransfer(writing, transfer.id, verdict));
  } catch (error) {
    // The others are not to wait for this one. Its claim ends by itself.
    context.log.error({ err: error, transferId: transfer.id }, 'a transfer cannot be settled');
  }
}

/** No answer is not a failure: the transfer stays as it is until somebody knows. */
async function ask(context: Context, processor: PayoutProcessor, transfer: Transfer): Promise<PayoutVerdict> {
  const payout = payoutOf(context, transfer);
  try {
    return transfer.status === 'pending' ? await processor.create(payout) : await processor.status(payout);
  } catch {
    // The error is not logged: the code that threw it was holding the account number.
    context.log.error({ processor: processor.name, transferId: transfer.id }, 'The processor gave no answer');
    return { result: 'unknown' };
  }
}

function payoutOf({ sealer }: Context, transfer: Transfer): Payout {
  const { id, reference, amount, currency, recipientName, sealedAccountNumber, bankCode, narration } = transfer;
  if (!sealedAccountNumber) throw new Error('A transfer has no account number.');
  return {
    transferId: id,
    reference,
    amount,
    currency,
    recipient: { name: recipientName, accountNumber: sealer.open(sealedAccountNumber, id), bankCode },
    narration: narration ?? null,
  };
}
