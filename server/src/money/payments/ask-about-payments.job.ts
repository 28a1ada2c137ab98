import type { Context } from '../../context.ts';
import { claimInBatches } from '../../platform/database/transaction.ts';
import { checkAttempt } from './ask-processor.ts';
import { batchSize, claimOpenAttempts } from './claim-attempts.service.ts';

/**
 * The job `settle-undecided`. An attempt stays open if the processor's answer or webhook was lost, or while the
 * customer is still paying.
 */
export function askAboutPayments(context: Context): Promise<void> {
  return claimInBatches(context, { claim: (tx) => claimOpenAttempts(tx), batchSize, work: ask });
}

async function ask(context: Context, attemptId: string): Promise<void> {
  try {
    await checkAttempt(context, attemptId);
  } catch (error) {
    context.log.error({ err: error, attemptId }, 'Failed to settle an open attempt');
  }
}
