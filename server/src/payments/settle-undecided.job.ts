import type { Context } from '../context.ts';
import { inTransaction } from '../database/transaction.ts';
import type { Processors } from '../processors/port.ts';
import { findUndecidedAttempts, settleAttempt } from './checkout.service.ts';

/** Longer than any processor takes to answer, so that nobody is asked behind the back of a page that still waits. */
const patienceMs = 60_000;

/** Asks after attempts whose verdict was never saved, because a process died between asking and saving. */
export async function settleUndecided(context: Context, processors: Processors): Promise<void> {
  const submittedBefore = new Date(context.clock.now().getTime() - patienceMs);
  for (const { attemptId, mode } of await findUndecidedAttempts(context, submittedBefore)) {
    const processor = mode && processors[mode];
    if (!processor) continue;
    try {
      const verdict = await processor.status(attemptId);
      await inTransaction(context, (writing) => settleAttempt(writing, attemptId, verdict));
    } catch (error) {
      // The others are not to wait for this one.
      context.log.error({ err: error, attemptId }, 'an undecided attempt cannot be settled');
    }
  }
}
