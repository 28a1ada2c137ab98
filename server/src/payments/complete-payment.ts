import type { WriteContext } from '../context.ts';
import { run } from '../database/statement.ts';
import { type Publication, publishAll } from '../delivery/queue/publish.ts';
import { creditCollection } from '../wallets/wallets.service.ts';
import type { ExpiryReason, Payment } from './payment.entity.ts';

/**
 * Completes a payment: changes its status, credits the ledger and publishes the event. The caller holds the row's lock.
 */
export async function completePayment(context: WriteContext, payment: Payment): Promise<void> {
  payment.complete(context.clock.now());
  await creditCollection(context, payment);
  await publishPaymentEvents(context, [payment]);
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

/** Publishes the events of payments that have ended, in one statement. A payment that is still open has no event. */
export function publishPaymentEvents(context: WriteContext, payments: readonly Payment[]): Promise<void> {
  return publishAll(context, payments.flatMap(publicationsOf));
}

function publicationsOf(payment: Payment): Publication[] {
  const { merchantId, mode, reference, currency, status, customerEmail, updatedAt: occurredAt } = payment;
  const data = { reference, amount: Number(payment.amount), currency, status, customerEmail };
  const about = { merchantId, mode, reference, occurredAt };
  switch (status) {
    case 'completed':
      return [{ ...about, name: 'checkout.success', data }];
    case 'failed':
      return [{ ...about, name: 'checkout.failed', data }];
    case 'expired':
      return [{ ...about, name: 'checkout.expired', data: { ...data, reason: expiryReasonOf(payment) } }];
    case 'pending':
    case 'processing':
      return [];
  }
}

function expiryReasonOf({ expiryReason }: Payment): ExpiryReason {
  if (!expiryReason) throw new Error('A payment expired without a reason.');
  return expiryReason;
}
