import { type Context, type EventOwner, withFreshEntityManager } from '../../context.ts';
import { inBatches, inTransaction } from '../../platform/database/transaction.ts';
import { checkAttempt } from './ask-processor.ts';
import { expireDuePayments } from './checkout.service.ts';
import { batchSize, claimOpenAttempts } from './claim-attempts.service.ts';

export function expireCheckouts(context: Context): Promise<void> {
  return inBatches(context, (tx) => expireDuePayments(tx));
}

/** Starts no batch after `endMs`, a time of `performance.now()`: later runs of the jobs end the remaining checkouts. */
export async function expireCheckoutsNow(context: Context, owner: EventOwner, endMs: number): Promise<void> {
  for (let isMore = true; isMore && performance.now() < endMs; ) {
    isMore = await inTransaction(withFreshEntityManager(context), (tx) => expireDuePayments(tx, owner));
  }
  for (let isMore = true; isMore && performance.now() < endMs; ) {
    const attempts = await inTransaction(withFreshEntityManager(context), (tx) => claimOpenAttempts(tx, owner));
    await Promise.all(attempts.map((id) => checkAttempt(withFreshEntityManager(context), id)));
    isMore = attempts.length === batchSize;
  }
}
