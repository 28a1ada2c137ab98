import { type FilterQuery, LockMode } from '@mikro-orm/core';
import type { Called, WriteContext } from '../context.ts';
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
