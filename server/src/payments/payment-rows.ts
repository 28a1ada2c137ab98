import { type FilterQuery, LockMode } from '@mikro-orm/core';
import type { WithPrincipal, WriteContext } from '../context.ts';
import { run } from '../database/statement.ts';
import { notFound } from '../kit/errors.ts';
import { Payment } from './payment.entity.ts';

/** Finds the payment and locks its row until the transaction ends. Every function that changes a payment calls this. */
export async function getLockedPayment(context: WriteContext, where: FilterQuery<Payment>): Promise<Payment> {
  const payment = await context.em.findOne(Payment, where, { lockMode: LockMode.PESSIMISTIC_WRITE });
  if (!payment) throw notFound();
  return payment;
}

/** The same for a payment of the calling merchant and mode. */
export async function lockOwnPayment(context: WriteContext & WithPrincipal, reference: string): Promise<Payment> {
  const { merchantId, mode } = context.principal;
  return getLockedPayment(context, { merchantId, mode, reference });
}

/**
 * Saves a new payment. The SQL is written by hand because it runs for every checkout: the ORM writes the values into
 * the statement's text, so Postgres would plan every statement again.
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
