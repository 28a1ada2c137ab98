import type { Context } from '../context.ts';
import { claimInBatches } from '../database/transaction.ts';
import { lookAfterAttempt } from './ask-processor.ts';
import { batchSize, claimOpenAttempts } from './attempts.service.ts';

/**
 * Asks after attempts that are open: their answer was lost, the customer is still at it, or a webhook never came. Ends those
 * whose payment's time ran out.
 */
export function settleUndecided(context: Context): Promise<void> {
  return claimInBatches(context, { claim: claimOpenAttempts, batchSize, work: lookAfter });
}

async function lookAfter(context: Context, attemptId: string): Promise<void> {
  try {
    await lookAfterAttempt(context, attemptId);
  } catch (error) {
    // The others are not to wait for this one.
    context.log.error({ err: error, attemptId }, 'an open attempt cannot be settled');
  }
}
