import type { CheckoutSession, Payment as PaymentRecord } from '@tillhook/openapi';
import type { Context } from '../context.ts';
import type { Payment } from './payment.entity.ts';

export function checkoutSessionView(payment: Payment, context: Context): CheckoutSession {
  return {
    success: true,
    message: 'Checkout session created',
    data: {
      checkoutUrl: `${context.publicUrl}/checkout/${payment.accessCode}`,
      reference: payment.reference,
      accessCode: payment.accessCode,
    },
  };
}

export function paymentView(payment: Payment): PaymentRecord {
  return {
    id: payment.id,
    reference: payment.reference,
    amount: Number(payment.amount),
    currency: payment.currency,
    status: payment.status,
    customerEmail: payment.customerEmail,
    mode: payment.mode,
    description: payment.description ?? null,
    metadata: payment.metadata,
    attempts: payment.attempts,
    paymentMethod: payment.paymentMethod ?? null,
    failureCode: payment.failureCode ?? null,
    failureMessage: payment.failureMessage ?? null,
    callbackUrl: payment.callbackUrl ?? null,
    expiresAt: payment.expiresAt.toISOString(),
    completedAt: payment.completedAt?.toISOString() ?? null,
    createdAt: payment.createdAt.toISOString(),
    updatedAt: payment.updatedAt.toISOString(),
  };
}
