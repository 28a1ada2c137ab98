import type { Context } from '../../context.ts';
import { claimInBatches } from '../../platform/database/transaction.ts';
import { checkAttempt } from './ask-processor.ts';
import { batchSize, claimOpenAttempts } from './claim-attempts.service.ts';

/**
 * Asks the processor about open attempts. An attempt stays open when the processor's answer was lost, when the
 * customer is still paying, or when a webhook did not arrive. Attempts whose payment has ended or expired are
 * cancelled at the processor.
 */
export function askAboutPayments(context: Context): Promise<void> {
  return claimInBatches(context, { claim: (tx) => claimOpenAttempts(tx), batchSize, work: ask });
}

async function ask(context: Context, attemptId: string): Promise<void> {
  try {
    await checkAttempt(context, attemptId);
  } catch (error) {
    // The error is caught, so that the job also settles the other attempts of the batch.
    context.log.error({ err: error, attemptId }, 'Failed to settle an open attempt');
  }
}
