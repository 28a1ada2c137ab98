import type { OperationOutput, Review } from '@tillhook/openapi';
import type { Context, WithPrincipal } from '../../context.ts';
import { amountInJson } from '../../kit/money.ts';
import type { Merchant } from '../../people/merchants/merchant.entity.ts';
import type { Payment } from './payment.entity.ts';
import { paymentView } from './payment.view.ts';
import type { PaymentAttempt } from './payment-attempt.entity.ts';

/** A payment as an operator sees it, with its merchant: operators decide the payments of all merchants. */
export function reviewedPaymentView(
  payment: Payment,
  { id, name, currency }: Merchant,
  context: Context & WithPrincipal,
): OperationOutput<'resolveReview'> {
  return { merchant: { id, name, currency }, payment: paymentView(payment, context) };
}

/** What the processor received for one attempt. */
export function paidView({ paidAmount, paidCurrency, processorId }: PaymentAttempt): Review['paid'][number] {
  return {
    amount: paidAmount == null ? null : amountInJson(paidAmount),
    currency: paidCurrency ?? null,
    processorId: processorId ?? null,
  };
}
