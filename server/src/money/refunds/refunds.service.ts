import { raw } from '@mikro-orm/core';
import type { Context, WithOwner, WithPrincipal, WriteContext } from '../../context.ts';
import { AppError, invalid, notFound } from '../../kit/errors.ts';
import { newId, newReference } from '../../kit/ids.ts';
import { createdWithin, type Page, type Paged, timeOf } from '../../kit/pagination.ts';
import { listPage } from '../../platform/database/lists/find-page.ts';
import { readInBatches } from '../../platform/database/lists/read-in-batches.ts';
import { run } from '../../platform/database/statement.ts';
import { whereFound } from '../../text-search/text-search.service.ts';
import { getProcessor } from '../payments/get-processor.ts';
import { addRefundToPayment, lockPaymentToRefund, type PaymentToRefund } from '../payments/lock-payment.ts';
import { reserveRefund } from '../wallets/wallets.service.ts';
import { Refund, type RefundStatus } from './refund.entity.ts';
import { refuseAboveSupportLimit } from './support-limit.ts';

interface RefundDetails {
  /** When omitted, the remaining amount of the payment is refunded. */
  amount?: number;
  reference?: string;
  reason?: string;
  metadata?: Record<string, string>;
}

export async function startRefund(
  context: WriteContext & WithPrincipal,
  paymentReference: string,
  details: RefundDetails,
): Promise<Refund> {
  const payment = await lockPaymentToRefund(context, paymentReference);
  if (payment.status !== 'completed') {
    const message = `Only a completed payment can be refunded, and this one is ${payment.status}`;
    throw new AppError('payment_not_completed', message);
  }
  refuseUnderReview(payment);
  const processor = getProcessor(context, payment.mode);
  const amount = amountToRefund(payment, details.amount);
  if (processor.takes === 'redirect' && !processor.accepts(amount, payment.currency)) {
    throw invalid('invalid_parameter', 'amount', 'is not one that the payment processor accepts in this currency');
  }
  await refuseAboveSupportLimit(context, { amount, currency: payment.currency });
  const origin = context.principal.actor.type === 'key' ? 'api' : 'dashboard';
  const refund = newRefund(context, payment, { ...details, amount, origin });
  await addRefundToPayment(context, payment, refund);
  await insertRefund(context, refund);
  await reserveRefund(context, refund);
  context.afterCommit(context.refunds.ring);
  return refund;
}

/**
 * A payment with an open review `paid_twice` can be refunded: the second amount was not credited, and a refund gives
 * back only money that was credited.
 */
function refuseUnderReview({ reviewReasons }: PaymentToRefund): void {
  if (reviewReasons.includes('disputed')) {
    throw new AppError(
      'payment_under_review',
      'The customer disputes this payment, and the bank may give the money back: refund it when the review has ended',
    );
  }
  if (reviewReasons.includes('refund_without_funds')) {
    throw new AppError(
      'payment_under_review',
      'A refund of this payment was made at the payment processor and waits to be taken from the Collection wallet: ' +
        'refund more when that is done',
    );
  }
}

export interface RefundFilter {
  reference?: string;
  paymentReference?: string;
  customerEmail?: string;
  status?: readonly RefundStatus[];
  search?: string;
  from?: string;
  to?: string;
}

export async function listRefunds(
  context: Context & WithOwner,
  filter: RefundFilter,
  page: Page,
): Promise<Paged<Refund>> {
  const { merchantId, mode } = context.principal;
  const where = await matching(context, filter);
  return listPage(context, Refund, { owner: { merchantId, mode }, where, page });
}

export async function* readRefunds(
  context: Context & WithOwner,
  filter: RefundFilter,
): AsyncIterableIterator<Refund[]> {
  yield* readInBatches(context, Refund, { where: await matching(context, filter), by: 'id' });
}

/** The condition compares `payment_id`, because this column has an index. */
const ofPayment = 'payment_id = (select id from payment where merchant_id = ? and mode = ? and reference = ?)';

const ofCustomer =
  'payment_id in (select id from payment where merchant_id = ? and mode = ? and lower(customer_email) = lower(?))';

async function matching(context: Context & WithOwner, filter: RefundFilter) {
  const { merchantId, mode } = context.principal;
  const { reference, paymentReference, customerEmail, status } = filter;
  return {
    merchantId,
    mode,
    ...(reference && { reference }),
    ...(paymentReference && { [raw(ofPayment, [merchantId, mode, paymentReference])]: [] }),
    ...(customerEmail && { [raw(ofCustomer, [merchantId, mode, customerEmail])]: [] }),
    ...(status && { status: { $in: [...status] } }),
    ...createdWithin(timeOf(filter)),
    ...(await whereFound(context, 'refund', filter)),
  };
}

export async function getRefund(context: Context & WithOwner, reference: string): Promise<Refund> {
  const { merchantId, mode } = context.principal;
  const refund = await context.em.findOne(Refund, { merchantId, mode, reference });
  if (!refund) throw notFound();
  return refund;
}

function amountToRefund(payment: PaymentToRefund, wanted: number | undefined): bigint {
  const left = payment.amount - payment.amountRefunded;
  const amount = wanted === undefined ? left : BigInt(wanted);
  if (left > 0n && amount <= left) return amount;
  const message =
    left > 0n
      ? `The payment has ${left} left to refund, in the minor unit of ${payment.currency}`
      : 'Nothing is left of this payment: it is refunded already';
  throw new AppError('refund_exceeds_payment', message, { param: 'amount' });
}

type NewRefund = Omit<RefundDetails, 'amount'> & Pick<Refund, 'amount' | 'origin'> & { processorId?: string };

export function newRefund(
  { clock, span }: WriteContext,
  payment: PaymentToRefund,
  { amount, origin, reference, reason, metadata, processorId }: NewRefund,
): Refund {
  const now = clock.now();
  return Object.assign(new Refund(), {
    id: newId(),
    merchantId: payment.merchantId,
    mode: payment.mode,
    paymentId: payment.id,
    paymentReference: payment.reference,
    customerEmail: payment.customerEmail,
    reference: reference ?? newReference(),
    amount,
    currency: payment.currency,
    status: 'pending' as const,
    reason: reason ?? null,
    metadata: metadata ?? {},
    origin,
    processorId: processorId ?? null,
    isPosted: true,
    failureCode: null,
    failureReason: null,
    traceparent: span?.traceparent ?? null,
    createdAt: now,
    updatedAt: now,
    completedAt: null,
  });
}

/** The SQL is written by hand, because Postgres would plan the ORM's statement for every refund. */
export async function insertRefund(tx: WriteContext, refund: Refund): Promise<void> {
  await run(tx)`
    insert into refund
      (id, merchant_id, mode, payment_id, payment_reference, reference, amount, currency, status, reason, metadata,
       origin, processor_id, is_posted, traceparent, created_at, updated_at)
    values
      (${refund.id}, ${refund.merchantId}, ${refund.mode}, ${refund.paymentId}, ${refund.paymentReference},
       ${refund.reference}, ${refund.amount.toString()}, ${refund.currency}, ${refund.status}, ${refund.reason},
       ${JSON.stringify(refund.metadata)}, ${refund.origin}, ${refund.processorId}, ${refund.isPosted},
       ${refund.traceparent}, ${refund.createdAt}, ${refund.updatedAt})`;
}
