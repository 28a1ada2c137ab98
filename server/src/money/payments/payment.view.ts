import type {
  CheckoutSession,
  OperationOutput,
  PaymentAttempt as PaymentAttemptRecord,
  Payment as PaymentRecord,
  Review,
} from '@tillhook/openapi';
import type { Context, WithPrincipal } from '../../context.ts';
import type { CsvColumns } from '../../kit/csv.ts';
import { amountInJson, decimalAmount } from '../../kit/money.ts';
import type { Role } from '../../kit/permissions.ts';
import type { Merchant } from '../../people/merchants/merchant.entity.ts';
import type { Payment } from './payment.entity.ts';
import type { PaymentAttempt } from './payment-attempt.entity.ts';

export function checkoutSessionView(
  payment: Pick<Payment, 'reference' | 'accessCode'>,
  context: Context,
): CheckoutSession {
  return {
    success: true,
    message: 'Checkout session created',
    data: {
      checkoutUrl: checkoutUrl(payment, context),
      reference: payment.reference,
      accessCode: payment.accessCode,
    },
  };
}

/** `caller` is null for CSV files and the command line, which never show a link. */
export function paymentView(payment: Payment, caller: (Context & WithPrincipal) | null): PaymentRecord {
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
    note: payment.note ?? null,
    attempts: payment.attempts,
    paymentMethod: payment.paymentMethod ?? null,
    failureCode: payment.failureCode ?? null,
    failureMessage: payment.failureMessage ?? null,
    cancelledBy: payment.canceller,
    reviewReason: payment.reviewReason ?? null,
    amountRefunded: Number(payment.amountRefunded),
    lineItems: (payment.lineItems ?? []).map(({ name, quantity, unitAmount }) => ({ name, quantity, unitAmount })),
    paymentLinkId: payment.paymentLinkId ?? null,
    checkoutUrl: payment.status === 'pending' && caller && maySeeLink(caller) ? checkoutUrl(payment, caller) : null,
    // The page of a completed payment shows the receipt, and its link allows no change.
    receiptUrl: payment.status === 'completed' && caller ? checkoutUrl(payment, caller) : null,
    callbackUrl: payment.callbackUrl ?? null,
    cancelUrl: payment.cancelUrl ?? null,
    expiresAt: payment.expiresAt.toISOString(),
    completedAt: payment.completedAt?.toISOString() ?? null,
    createdAt: payment.createdAt.toISOString(),
    updatedAt: payment.updatedAt.toISOString(),
  };
}

function checkoutUrl({ accessCode }: Pick<Payment, 'accessCode'>, { publicUrl }: Context): string {
  return `${publicUrl}/checkout/${accessCode}`;
}

// The link is only for roles that may create a checkout, because with the link, a person can pay or abandon the payment.
// See docs/decisions/auth.md, "Only those who may create a checkout see its link".
const rolesWithLink: readonly Role[] = ['administrator', 'support'];

function maySeeLink({ principal: { actor } }: WithPrincipal): boolean {
  return actor.type === 'key' || rolesWithLink.includes(actor.role);
}

export const paymentColumns: CsvColumns<PaymentRecord> = {
  id: ({ id }) => id,
  reference: ({ reference }) => reference,
  status: ({ status }) => status,
  amount: ({ amount }) => amount,
  amountDecimal: ({ amount, currency }) => ({ decimal: decimalAmount(amount, currency) }),
  currency: ({ currency }) => currency,
  customerEmail: ({ customerEmail }) => customerEmail,
  mode: ({ mode }) => mode,
  description: ({ description }) => description,
  attempts: ({ attempts }) => attempts,
  'paymentMethod.type': ({ paymentMethod }) => paymentMethod?.type ?? null,
  'paymentMethod.brand': ({ paymentMethod }) => paymentMethod?.brand ?? null,
  'paymentMethod.last4': ({ paymentMethod }) => paymentMethod?.last4 ?? null,
  failureCode: ({ failureCode }) => failureCode,
  failureMessage: ({ failureMessage }) => failureMessage,
  reviewReason: ({ reviewReason }) => reviewReason,
  callbackUrl: ({ callbackUrl }) => callbackUrl,
  cancelUrl: ({ cancelUrl }) => cancelUrl,
  expiresAt: ({ expiresAt }) => expiresAt,
  completedAt: ({ completedAt }) => completedAt,
  createdAt: ({ createdAt }) => createdAt,
  updatedAt: ({ updatedAt }) => updatedAt,
  metadata: ({ metadata }) => JSON.stringify(metadata),
  amountRefunded: ({ amountRefunded }) => amountRefunded,
  amountRefundedDecimal: ({ amountRefunded, currency }) => ({ decimal: decimalAmount(amountRefunded, currency) }),
  lineItems: ({ lineItems }) => JSON.stringify(lineItems),
  cancelledBy: ({ cancelledBy }) => cancelledBy,
  paymentLinkId: ({ paymentLinkId }) => paymentLinkId,
  note: ({ note }) => note,
  'paymentMethod.operator': ({ paymentMethod }) => paymentMethod?.operator ?? null,
};

export function attemptView(attempt: PaymentAttempt): PaymentAttemptRecord {
  const { method, brand, last4, paidAmount } = attempt;
  return {
    number: attempt.number,
    startedAt: attempt.startedAt.toISOString(),
    settledAt: attempt.settledAt?.toISOString() ?? null,
    method,
    card: method === 'card' && brand && last4 ? { brand, last4 } : null,
    outcome: attempt.outcome ?? 'open',
    amountReceived: paidAmount == null ? null : amountInJson(paidAmount),
    currencyReceived: attempt.paidCurrency ?? null,
    failureCode: attempt.failureCode ?? null,
    failureMessage: attempt.failureMessage ?? null,
    threeDSecure: attempt.askedForStep ?? null,
  };
}

export function reviewedPaymentView(
  payment: Payment,
  { id, name, currency }: Merchant,
  context: Context & WithPrincipal,
): OperationOutput<'resolveReview'> {
  return { merchant: { id, name, currency }, payment: paymentView(payment, context) };
}

export function paidView({ paidAmount, paidCurrency, processorId }: PaymentAttempt): Review['paid'][number] {
  return {
    amount: paidAmount == null ? null : amountInJson(paidAmount),
    currency: paidCurrency ?? null,
    processorId: processorId ?? null,
  };
}
