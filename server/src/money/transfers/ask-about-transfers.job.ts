import type { Context } from '../../context.ts';
import { claimDue } from '../../platform/database/statement.ts';
import { claimInBatches, inTransaction } from '../../platform/database/transaction.ts';
import type { Payout, PayoutProcessor, PayoutProcessors, PayoutVerdict } from '../../processors/port.ts';
import { leaseSeconds, settleTransfer } from './settle-transfer.service.ts';
import { Transfer } from './transfer.entity.ts';

const batchSize = 10;

/** Sends new transfers to the processor, and asks about accepted transfers, with no transaction open. */
export function askAboutTransfers(context: Context, processors: PayoutProcessors): Promise<void> {
  return claimInBatches(context, {
    claim: (tx) => claimDue(tx, Transfer, { limit: batchSize, leaseSeconds }),
    batchSize,
    work: (own, transfer) => askAndSettle(own, processors[transfer.mode], transfer),
  });
}

async function askAndSettle(
  context: Context,
  processor: PayoutProcessor | undefined,
  transfer: Transfer,
): Promise<void> {
  if (!processor) return;
  try {
    const verdict = await ask(context, processor, transfer);
    await inTransaction(context, (tx) => settleTransfer(tx, transfer.id, verdict));
  } catch (error) {
    // After an error, the job continues with the remaining transfers. This transfer is due again when its lease ends.
    context.log.error({ err: error, transferId: transfer.id }, 'Failed to settle a transfer');
  }
}

/** A missing answer is not a failure: the transfer stays as it is until the processor gives a verdict. */
async function ask(context: Context, processor: PayoutProcessor, transfer: Transfer): Promise<PayoutVerdict> {
  const payout = payoutOf(context, transfer);
  try {
    return transfer.status === 'pending' ? await processor.create(payout) : await processor.status(payout);
  } catch {
    // The message of the error may contain the account number, so the error is not logged.
    context.log.error({ processor: processor.name, transferId: transfer.id }, 'The processor gave no answer');
    return { result: 'unknown' };
  }
}

function payoutOf({ sealer }: Context, transfer: Transfer): Payout {
  const { id, reference, amount, currency, recipientName, sealedAccountNumber, bankCode, narration } = transfer;
  if (!sealedAccountNumber) throw new Error(`Transfer ${id} has no saved account number.`);
  return {
    transferId: id,
    reference,
    amount,
    currency,
    recipient: { name: recipientName, accountNumber: sealer.open(sealedAccountNumber, id), bankCode },
    narration: narration ?? null,
  };
}
