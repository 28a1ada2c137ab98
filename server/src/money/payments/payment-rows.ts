import { type FilterQuery, LockMode } from '@mikro-orm/core';
import { type RawBuilder, sql } from 'kysely';
import type { WithPrincipal, WriteContext } from '../../context.ts';
import { notFound } from '../../kit/errors.ts';
import { rowsOf, run } from '../../platform/database/statement.ts';
import { Payment } from './payment.entity.ts';

/**
 * Finds the payment and locks its row until the transaction ends. The ORM saves what changes of it. Payments that are
 * paid or ended pass `locked-payment.ts` instead.
 */
export async function getLockedPayment(context: WriteContext, where: FilterQuery<Payment>): Promise<Payment> {
  const payment = await context.em.findOne(Payment, where, { lockMode: LockMode.PESSIMISTIC_WRITE });
  if (!payment) throw notFound();
  return payment;
}

/** The part of a payment that a new refund needs. */
export type PaymentToRefund = Pick<
  Payment,
  'id' | 'merchantId' | 'mode' | 'reference' | 'amount' | 'amountRefunded' | 'currency' | 'status' | 'reviewReasons'
>;

/**
 * Locks a payment of the calling merchant and reads what a new refund needs of it. This SQL and that of `saveNewRefund`
 * are written by hand for the reason that `paymentInsertion` has. The refund's amount is saved before the wallet is locked,
 * and not by the ORM at the commit, so that a wallet with many refunds stays locked for less time.
 */
export async function lockPaymentToRefund(
  tx: WriteContext & WithPrincipal,
  reference: string,
): Promise<PaymentToRefund> {
  const { merchantId, mode } = tx.principal;
  type Row = Record<'id' | 'amount' | 'refunded' | 'currency', string> & Pick<Payment, 'status' | 'reviewReasons'>;
  const [row] = await rowsOf<Row>(tx)`
    select id, amount, amount_refunded as refunded, currency, status,
      array_remove(review_reason || more_review_reasons, null) as "reviewReasons" from payment
    where merchant_id = ${merchantId} and mode = ${mode} and reference = ${reference} for update`;
  if (!row) throw notFound();
  const { id, amount, refunded, currency, status, reviewReasons } = row;
  return {
    id,
    merchantId,
    mode,
    reference,
    amount: BigInt(amount),
    amountRefunded: BigInt(refunded),
    currency,
    status,
    reviewReasons,
  };
}

/** Adds a new refund to the payment, whose lock the caller holds. */
export async function saveNewRefund(
  tx: WriteContext,
  { id, merchantId }: PaymentToRefund,
  { amount, createdAt }: { amount: bigint; createdAt: Date },
): Promise<void> {
  const changed = await run(tx)`
    update payment set amount_refunded = amount_refunded + ${amount.toString()}::bigint, updated_at = ${createdAt}
    where merchant_id = ${merchantId} and id = ${id} and status = 'completed' and amount_refunded + ${amount.toString()}::bigint <= amount`;
  if (changed !== 1) throw new Error('A payment cannot be refunded beyond its amount, or before it is completed.');
}

/**
 * What is saved of a new payment. A plain object: making an entity takes longer, because the ORM defines each of its
 * properties.
 */
export type NewPayment = Pick<
  Payment,
  | 'id'
  | 'merchantId'
  | 'mode'
  | 'reference'
  | 'accessCode'
  | 'amount'
  | 'currency'
  | 'customerEmail'
  | 'description'
  | 'metadata'
  | 'callbackUrl'
  | 'cancelUrl'
  | 'locale'
  | 'lineItems'
  | 'traceparent'
  | 'expiresAt'
  | 'createdAt'
>;

/**
 * The statement that inserts a new payment, as `insert … select …` without a source of rows. It is written by hand
 * because it runs for every checkout: the ORM writes the values into the statement's text, so Postgres would plan every
 * statement again.
 */
export function paymentInsertion(payment: NewPayment): RawBuilder<unknown> {
  return sql`
    insert into payment
      (id, merchant_id, mode, reference, access_code, amount, currency, status, customer_email, description, metadata,
       callback_url, cancel_url, locale, line_items, attempts, traceparent, expires_at, created_at,
       updated_at)
    select
      ${payment.id}, ${payment.merchantId}, ${payment.mode}, ${payment.reference}, ${payment.accessCode},
      ${payment.amount.toString()}, ${payment.currency}, 'pending', ${payment.customerEmail},
      ${payment.description}, ${JSON.stringify(payment.metadata)}, ${payment.callbackUrl}, ${payment.cancelUrl},
      ${payment.locale}, ${payment.lineItems && JSON.stringify(payment.lineItems)}, 0, ${payment.traceparent},
      ${payment.expiresAt}, ${payment.createdAt}, ${payment.createdAt}`;
}
