import type { WriteContext } from '../../context.ts';
import { isId } from '../../kit/ids.ts';
import { run } from '../../platform/database/statement.ts';
import type { AttemptEvent, DisputeEvent } from '../../processors/port.ts';
import { lockManagedPayment } from '../payments/lock-payment.ts';
import { notifyOfDispute } from '../payments/notify-of-payment.ts';
import { PaymentAttempt } from '../payments/payment-attempt.entity.ts';
import { settlePayment } from '../payments/settle-payment.service.ts';

/** Saves the event's id in the transaction that settles the attempt, so a repeated event is ignored. */
export async function applyAttemptEvent(
  context: WriteContext,
  processor: string,
  { id, attemptId, verdict }: AttemptEvent,
): Promise<void> {
  const isOurs = isId(attemptId) && (await context.em.count(PaymentAttempt, { id: attemptId })) > 0;
  if (!isOurs)
    return context.log.warn(
      { processor, eventId: id },
      'The processor reported an event of an unknown payment attempt; the event is ignored',
    );
  if (await noteEvent(context, processor, id)) await settlePayment(context, attemptId, verdict);
}

/** An operator has to act, because the dispute is decided outside this service. */
export async function applyDisputeEvent(
  context: WriteContext,
  processor: string,
  { id, attemptId, news, dueAt }: DisputeEvent,
): Promise<void> {
  const attempt = isId(attemptId) ? await context.em.findOne(PaymentAttempt, { id: attemptId }) : null;
  if (!attempt)
    return context.log.warn(
      { processor, eventId: id },
      'The processor reported a dispute of an unknown payment attempt; the dispute is ignored',
    );
  if (!(await noteEvent(context, processor, id))) return;
  const payment = await lockManagedPayment(context, { id: attempt.paymentId });
  payment.askForReview('disputed');
  await noteDeadline(context, payment.id, { news, dueAt });
  if (news !== 'changed') await notifyOfDispute(context, payment, { event: news, dueAt });
  const about = { processor, eventId: id, paymentId: payment.id, attemptId, news };
  // Runs after the commit, because the transaction may be retried and a dispute must be counted once.
  if (news !== 'changed') context.afterCommit(() => context.metrics.disputes.inc({ status: news }));
  context.log.error(
    about,
    'A payment is disputed at the bank; list the payments under review with: tillhook payments review',
  );
}

/** Events may arrive in any order, so only a new dispute makes a deadline that was reported open again. */
async function noteDeadline(
  context: WriteContext,
  paymentId: string,
  { news, dueAt }: Pick<DisputeEvent, 'news' | 'dueAt'>,
): Promise<void> {
  const now = context.clock.now();
  await run(context)`
    insert into dispute_deadline (payment_id, due_at, reported_at)
    values (${paymentId}, ${dueAt ?? now}, ${dueAt ? null : now})
    on conflict (payment_id) do update set due_at = excluded.due_at, reported_at = case
      when ${news}::text = 'opened' then excluded.reported_at
      else coalesce(dispute_deadline.reported_at, excluded.reported_at) end`;
}

/** Returns false when the event was applied before. */
export async function noteEvent(context: WriteContext, processor: string, id: string): Promise<boolean> {
  const noted = await run(context)`
    insert into processor_event (processor, id) values (${processor}, ${id}) on conflict do nothing`;
  return noted === 1;
}
