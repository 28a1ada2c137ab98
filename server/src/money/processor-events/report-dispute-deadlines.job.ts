import { type Context, type WriteContext, withFreshEntityManager } from '../../context.ts';
import { rowsOf } from '../../platform/database/statement.ts';
import { inTransaction } from '../../platform/database/transaction.ts';
import { notifyOfDispute } from '../payments/notify-of-payment.ts';
import { Payment } from '../payments/payment.entity.ts';

/** Choice: three days leave time to collect evidence over a weekend, and processors give a week or more. */
const warningDays = 3;

/** Notifies people once of evidence that is due soon. */
export async function reportDisputeDeadlines(context: Context): Promise<void> {
  if (context.config.mail) await inTransaction(withFreshEntityManager(context), report);
}

async function report(tx: WriteContext): Promise<void> {
  const rows = await rowsOf<{ paymentId: string; dueMs: number }>(tx)`
    update dispute_deadline set reported_at = now()
    where reported_at is null and due_at > now() and due_at <= now() + make_interval(days => ${warningDays})
    returning payment_id as "paymentId", extract(epoch from due_at)::float8 * 1000 as "dueMs"`;
  for (const { paymentId, dueMs } of rows) {
    const payment = await tx.em.findOne(Payment, { id: paymentId });
    if (payment) await notifyOfDispute(tx, payment, { event: 'deadline', dueAt: new Date(dueMs) });
  }
}
