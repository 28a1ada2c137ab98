import type { Context } from '../../context.ts';
import { claimInBatches, inTransaction } from '../../platform/database/transaction.ts';
import type { Payout, PayoutProcessor, PayoutProcessors, PayoutVerdict } from '../../processors/port.ts';
import { batchSize, claimDueTransfers, settleTransfer } from './payouts.service.ts';
import type { Transfer } from './transfer.entity.ts';

/** Sends new transfers to the processor and asks it about the others, with no transaction open during the calls. */
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
    await inTransaction(context, (tx) => settleTransfer(tx, transfer.id, verdict));
  } catch (error) {
    // The other transfers of the batch must still be settled. This one is due again when its lease ends.
    context.log.error({ err: error, transferId: transfer.id }, 'A transfer cannot be settled');
  }
}

/** A missing answer is not a failure: the transfer stays as it is until the processor gives a verdict. */
async function ask(context: Context, processor: PayoutProcessor, transfer: Transfer): Promise<PayoutVerdict> {
  const payout = payoutOf(context, transfer);
  try {
    return transfer.status === 'pending' ? await processor.create(payout) : await processor.status(payout);
  } catch {
    // The error is not logged, because its message may contain the account number.
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
