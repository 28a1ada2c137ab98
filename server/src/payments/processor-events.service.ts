import type { WriteContext } from '../context.ts';
import { run } from '../database/statement.ts';
import { isId } from '../kit/ids.ts';
import type { ProcessorEvent } from '../processors/port.ts';
import { settleAttempt } from './attempts.service.ts';
import { PaymentAttempt } from './payment-attempt.entity.ts';

const batch = 5000;

/**
 * Applies a processor's event once. Its id is saved in the
 * transaction that settles the attempt, so a repeated one is ignored.
 */
export async function applyProcessorEvent(
  context: WriteContext,
  processor: string,
  { id, attemptId, verdict }: ProcessorEvent,
): Promise<void> {
  const isOurs = isId(attemptId) && (await context.em.count(PaymentAttempt, { id: attemptId })) > 0;
  if (!isOurs)
    return context.log.warn({ processor, eventId: id }, 'A processor event names an unknown attempt and is ignored');
  const noted = await run(context)`
    insert into processor_event (processor, id) values (${processor}, ${id}) on conflict do nothing`;
  if (noted === 1) await settleAttempt(context, attemptId, verdict);
}

/** Deletes a batch of events that are so old that no processor repeats them. True when there may be more. */
export async function purgeOldEvents(tx: WriteContext): Promise<boolean> {
  const purged = await run(tx)`
    delete from processor_event where ctid = any (array(
      select ctid from processor_event where received_at < now() - make_interval(days => ${tx.config.retentionDays})
      order by received_at limit ${batch} for update skip locked))`;
  return purged === batch;
}
