/**
 * The ORM does not manage the payments that are locked here, so code that changes a payment must also save it.
 * See docs/decisions/money.md, "A payment that is paid is read and saved by hand".
 */
import { type FilterQuery, LockMode } from '@mikro-orm/core';
import { type RawBuilder, sql } from 'kysely';
import type { WithPrincipal, WriteContext } from '../../context.ts';
import { notFound } from '../../kit/errors.ts';
import { entityRowsOf } from '../../platform/database/entity-rows.ts';
import { rowsOf, run } from '../../platform/database/statement.ts';
import { Payment } from './payment.entity.ts';
import { PaymentAttempt } from './payment-attempt.entity.ts';

type Row = Record<string, unknown>;

export interface LockedPayment {
  payment: Payment;
  /** The merchant's current name on card statements. */
  statementName: string | null;
  /** The merchant's current setting. */
  sendReceipts: boolean;
}

export interface PaymentWithAttempt {
  payment: Payment;
  attempt: PaymentAttempt;
}

export type LockedAttempt = PaymentWithAttempt & Pick<LockedPayment, 'sendReceipts'>;

export async function lockPayment(
  tx: WriteContext,
  which: Partial<Pick<Payment, 'id' | 'accessCode' | 'merchantId' | 'mode' | 'reference'>>,
): Promise<LockedPayment> {
  const rows = entityRowsOf(tx, Payment);
  const [row] = await rowsOf<Row & Pick<LockedPayment, 'statementName' | 'sendReceipts'>>(tx)`
    select ${rows.columns}, (select statement_name from merchant where id = payment.merchant_id) as "statementName",
      ${sendReceipts}
    from payment where ${rows.matches(which)} for update`;
  if (!row) throw notFound();
  return { payment: rows.read(row), statementName: row.statementName, sendReceipts: row.sendReceipts };
}

// The statement that locks the payment reads the setting, so a payment without a receipt needs no further statement.
const sendReceipts = sql`(select send_receipts from merchant where id = payment.merchant_id) as "sendReceipts"`;

export function lockOwnPayment(tx: WriteContext & WithPrincipal, reference: string): Promise<LockedPayment> {
  const { merchantId, mode } = tx.principal;
  return lockPayment(tx, { merchantId, mode, reference });
}

/** Postgres locks the payment before the attempt, as `for update of` says, and returns the newest rows after a wait. */
export async function lockAttempt(tx: WriteContext, attemptId: string): Promise<LockedAttempt> {
  const payments = entityRowsOf(tx, Payment);
  const attempts = entityRowsOf(tx, PaymentAttempt);
  const [row] = await rowsOf<Row & Pick<LockedAttempt, 'sendReceipts'>>(tx)`
    select ${payments.columns}, ${attempts.columns}, ${sendReceipts}
    from payment_attempt join payment on payment.id = payment_attempt.payment_id
    where payment_attempt.id = ${attemptId} for update of payment, payment_attempt`;
  if (!row) throw new Error(`There is no attempt ${attemptId}.`);
  return { payment: payments.read(row), attempt: attempts.read(row), sendReceipts: row.sendReceipts };
}

interface Also {
  /** The insertion of a mail in the same statement. */
  mail?: RawBuilder<unknown> | null;
}

export async function savePayment(tx: WriteContext, payment: Payment, { mail = null }: Also = {}): Promise<void> {
  await run(tx)`
    with due as (${otherAttemptsDue(payment, null)})${written(mail)}
    ${paymentUpdate(payment)}`;
}

export async function saveAttempt(
  tx: WriteContext,
  { payment, attempt }: PaymentWithAttempt,
  { mail = null }: Also = {},
): Promise<void> {
  const paidAmount = attempt.paidAmount?.toString() ?? null;
  await run(tx)`
    with changed as (${paymentUpdate(payment)}), due as (${otherAttemptsDue(payment, attempt.id)})${written(mail)}
    insert into payment_attempt
      (id, payment_id, number, method, brand, last4, processor_id, action_url, account, returned_at, outcome, paid_amount,
       paid_currency, failure_code, failure_message, asked_for_step, started_at, settled_at)
    select ${attempt.id}, ${payment.id}, 1 + (select count(id) from payment_attempt where payment_id = ${payment.id}),
      ${attempt.method}, ${attempt.brand}, ${attempt.last4}, ${attempt.processorId}, ${attempt.actionUrl},
      ${attempt.account && JSON.stringify(attempt.account)}::jsonb, ${attempt.returnedAt},
      ${attempt.outcome}, ${paidAmount}, ${attempt.paidCurrency}, ${attempt.failureCode}, ${attempt.failureMessage},
      ${attempt.askedForStep}, ${attempt.startedAt}, ${attempt.settledAt}
    on conflict (id) do update set brand = excluded.brand, last4 = excluded.last4, processor_id = excluded.processor_id,
      action_url = excluded.action_url, account = excluded.account, returned_at = excluded.returned_at, outcome = excluded.outcome,
      paid_amount = excluded.paid_amount, paid_currency = excluded.paid_currency, failure_code = excluded.failure_code,
      failure_message = excluded.failure_message, asked_for_step = excluded.asked_for_step,
      settled_at = excluded.settled_at`;
}

const written = (mail: Also['mail']) => (mail ? sql`, mail_row as (${mail})` : sql``);

function paymentUpdate(payment: Payment): RawBuilder<unknown> {
  const { paymentMethod } = payment;
  return sql`
    update payment set status = ${payment.status}, attempts = ${payment.attempts},
      forgiven_codes = ${payment.forgivenCodes}, payment_method = ${paymentMethod && JSON.stringify(paymentMethod)}, failure_code = ${payment.failureCode},
      failure_message = ${payment.failureMessage}, review_reason = ${payment.reviewReason},
      more_review_reasons = ${payment.moreReviewReasons}::text[], waits_for = ${payment.waitsFor},
      expiry_reason = ${payment.expiryReason}, cancelled_by = ${payment.cancelledBy},
      statement_name = ${payment.statementName}, page_locale = ${payment.pageLocale}, expires_at = ${payment.expiresAt},
      completed_at = ${payment.completedAt}, updated_at = ${payment.updatedAt}
    where merchant_id = ${payment.merchantId} and id = ${payment.id}`;
}

// A customer could pay again through another open attempt, so a job asks the processor to cancel such attempts.
// See docs/decisions/money.md, "Completing a payment schedules a check of its other attempts".
function otherAttemptsDue({ id, status }: Payment, attemptId: string | null): RawBuilder<unknown> {
  return sql`
    update payment_attempt set next_check_at = now()
    where payment_id = ${id} and outcome is null and id is distinct from ${attemptId}::uuid and ${status}::text = 'completed'`;
}

/** The ORM manages a payment that is locked here, and saves it at the commit. */
export async function lockManagedPayment(context: WriteContext, where: FilterQuery<Payment>): Promise<Payment> {
  const payment = await context.em.findOne(Payment, where, { lockMode: LockMode.PESSIMISTIC_WRITE });
  if (!payment) throw notFound();
  return payment;
}

export type PaymentToRefund = Pick<
  Payment,
  | 'id'
  | 'merchantId'
  | 'mode'
  | 'reference'
  | 'customerEmail'
  | 'amount'
  | 'amountRefunded'
  | 'currency'
  | 'status'
  | 'reviewReasons'
>;

export async function lockPaymentToRefund(
  tx: WriteContext & WithPrincipal,
  reference: string,
): Promise<PaymentToRefund> {
  const { merchantId, mode } = tx.principal;
  type Row = Record<'id' | 'customerEmail' | 'amount' | 'refunded' | 'currency', string> &
    Pick<Payment, 'status' | 'reviewReasons'>;
  const [row] = await rowsOf<Row>(tx)`
    select id, customer_email as "customerEmail", amount, amount_refunded as refunded, currency, status,
      array_remove(review_reason || more_review_reasons, null) as "reviewReasons" from payment
    where merchant_id = ${merchantId} and mode = ${mode} and reference = ${reference} for update`;
  if (!row) throw notFound();
  const { id, customerEmail, amount, refunded, currency, status, reviewReasons } = row;
  return {
    id,
    merchantId,
    mode,
    reference,
    customerEmail,
    amount: BigInt(amount),
    amountRefunded: BigInt(refunded),
    currency,
    status,
    reviewReasons,
  };
}

/** Saves the refunded amount before the wallet is locked, so that the wallet stays locked for less time. */
export async function addRefundToPayment(
  tx: WriteContext,
  { id, merchantId }: PaymentToRefund,
  { amount, createdAt }: { amount: bigint; createdAt: Date },
): Promise<void> {
  const changed = await run(tx)`
    update payment set amount_refunded = amount_refunded + ${amount.toString()}::bigint, updated_at = ${createdAt}
    where merchant_id = ${merchantId} and id = ${id} and status = 'completed' and amount_refunded + ${amount.toString()}::bigint <= amount`;
  if (changed !== 1) throw new Error(`Payment ${id} is not completed, or has less than ${amount} left to refund.`);
}
