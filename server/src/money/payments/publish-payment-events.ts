import type { WriteContext } from '../../context.ts';
import { type Publication, publishAll } from '../../webhooks/queue/publish.ts';
import type { ExpiryReason, Payment } from './payment.entity.ts';

export function publishPaymentEvents(context: WriteContext, payments: readonly Payment[]): Promise<void> {
  return publishAll(context, payments.flatMap(publicationsOf));
}

function publicationsOf(payment: Payment): Publication[] {
  const { merchantId, mode, reference, currency, status, customerEmail, traceparent, updatedAt: occurredAt } = payment;
  const data = { reference, amount: Number(payment.amount), currency, status, customerEmail };
  const about = { merchantId, mode, reference, occurredAt, traceparent: traceparent ?? null };
  switch (status) {
    case 'completed':
      return [{ ...about, name: 'checkout.success', data }];
    case 'failed':
      return [{ ...about, name: 'checkout.failed', data: { ...data, ...failureOf(payment) } }];
    case 'expired':
      return [{ ...about, name: 'checkout.expired', data: { ...data, reason: expiryReasonOf(payment) } }];
    case 'pending':
    case 'processing':
      return [];
  }
}

function failureOf({ failureCode, failureMessage, canceller }: Payment) {
  return { failureCode: failureCode ?? null, failureMessage: failureMessage ?? null, cancelledBy: canceller };
}

function expiryReasonOf({ id, expiryReason }: Payment): ExpiryReason {
  if (!expiryReason) throw new Error(`Payment ${id} is expired and has no expiry reason.`);
  return expiryReason;
}
