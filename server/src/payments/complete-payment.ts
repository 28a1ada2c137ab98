import type { WriteContext } from '../context.ts';
import { run } from '../database/statement.ts';
import { publish } from '../delivery/queue/publish.ts';
import { creditCollection } from '../wallets/wallets.service.ts';
import type { Payment } from './payment.entity.ts';

/**
 * Completes a payment: changes its status, credits the ledger and publishes the event. The caller holds the row's lock.
 */
export async function completePayment(context: WriteContext, payment: Payment): Promise<void> {
  payment.complete(context.clock.now());
  await creditCollection(context, payment);
  await publishPaymentEvent(context, payment);
  await makeOpenAttemptsDue(context, payment);
}

/**
 * A customer who is still at the processor's page could pay a second time. So the payment's open attempts become due
 * now, and the job `settle-undecided` asks the processor to cancel them, outside any transaction.
 * See docs/decisions/money.md, "Completing a payment makes its other attempts due".
 */
async function makeOpenAttemptsDue(tx: WriteContext, { id }: Payment): Promise<void> {
  await run(tx)`update payment_attempt set next_check_at = now() where payment_id = ${id} and outcome is null`;
}

/** Publishes the event of a completed or failed payment. The other statuses have no event. */
export async function publishPaymentEvent(context: WriteContext, payment: Payment): Promise<void> {
  const { merchantId, mode, reference, status } = payment;
  if (status !== 'completed' && status !== 'failed') return;
  await publish(context, {
    merchantId,
    mode,
    name: status === 'completed' ? 'checkout.success' : 'checkout.failed',
    reference,
    data: {
      reference,
      amount: Number(payment.amount),
      currency: payment.currency,
      status,
      customerEmail: payment.customerEmail,
    },
    occurredAt: payment.updatedAt,
  });
}
