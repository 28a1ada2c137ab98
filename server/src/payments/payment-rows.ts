import { type FilterQuery, LockMode } from '@mikro-orm/core';
import type { Called, WriteContext } from '../context.ts';
import { run } from '../database/statement.ts';
import { notFound } from '../kit/errors.ts';
import { Payment } from './payment.entity.ts';

/** The payment, which nobody else moves until the transaction ends. Everything that moves one comes through here. */
export async function getLockedPayment(context: WriteContext, where: FilterQuery<Payment>): Promise<Payment> {
  const payment = await context.em.findOne(Payment, where, { lockMode: LockMode.PESSIMISTIC_WRITE });
  if (!payment) throw notFound();
  return payment;
}

/** The same of the caller's own. */
export async function lockOwnPayment(context: WriteContext & Called, reference: string): Promise<Payment> {
  const { merchantId, mode } = context.principal;
  return getLockedPayment(context, { merchantId, mode, reference });
}

/**
 * Saves a new payment. By hand, because no statement runs as often as this one, and the ORM's has its values in the text:
 * Postgres would plan each anew.
 */
export async function insertPayment(tx: WriteContext, payment: Payment): Promise<void> {
  await run(tx)`
    insert into payment
      (id, merchant_id, mode, reference, access_code, amount, currency, status, customer_email, description, metadata,
       callback_url, cancel_url, locale, attempts, expires_at, created_at, updated_at)
    values
      (${payment.id}, ${payment.merchantId}, ${payment.mode}, ${payment.reference}, ${payment.accessCode},
       ${payment.amount.toString()}, ${payment.currency}, ${payment.status}, ${payment.customerEmail},
       ${payment.description}, ${JSON.stringify(payment.metadata)}, ${payment.callbackUrl}, ${payment.cancelUrl},
       ${payment.locale}, ${payment.attempts}, ${payment.expiresAt}, ${payment.createdAt}, ${payment.updatedAt})`;
}
