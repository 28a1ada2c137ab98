import type { WriteContext } from '../context.ts';
import { publish } from '../delivery/queue/publish.ts';
import type { Payment } from './payment.entity.ts';

/** Tells the merchant's endpoints, when the payment came to an end that has an event. */
export async function announcePayment(context: WriteContext, payment: Payment): Promise<void> {
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
