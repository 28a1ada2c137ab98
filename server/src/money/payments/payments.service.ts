import { raw } from '@mikro-orm/core';
import { type RawBuilder, sql } from 'kysely';
import type { Context, WithOwner, WithPrincipal, WriteContext } from '../../context.ts';
import { invalid, notFound } from '../../kit/errors.ts';
import { idsOf, newAccessCode, newId, newReference } from '../../kit/ids.ts';
import type { Mode } from '../../kit/mode.ts';
import { currencyOr } from '../../kit/money.ts';
import { createdWithin, type Order, type Page, type Paged, timeOf } from '../../kit/pagination.ts';
import type { PaymentMethodType } from '../../kit/payment-method.ts';
import { checkWebAddress } from '../../kit/web-address.ts';
import { findPage, findPageAfter } from '../../platform/database/lists/find-page.ts';
import type { Place } from '../../platform/database/lists/place-page.ts';
import { readInBatches } from '../../platform/database/lists/read-in-batches.ts';
import { atMost, columnsOf, rowsOutsideTransaction, run } from '../../platform/database/statement.ts';
import { type CheckoutProcessor, methodsOf } from '../../processors/port.ts';
import { whereFound } from '../../text-search/text-search.service.ts';
import { getProcessor } from './get-processor.ts';
import { lockManagedPayment } from './lock-payment.ts';
import { type LineItem, Payment, type PaymentStatus } from './payment.entity.ts';
import { placePayments } from './payment-hours.service.ts';

interface CheckoutDetails {
  email: string;
  amount: number;
  currency?: string;
  reference?: string;
  description?: string;
  callbackUrl?: string;
  cancelUrl?: string;
  metadata?: Record<string, string>;
  expiresIn?: number;
  locale?: string;
  receipt?: boolean;
  /** The sum of the line items is `amount`: a request with any other sum has been refused. */
  lineItems?: LineItem[];
  paymentLinkId?: string;
  paymentMethods?: PaymentMethodType[];
}

const defaultLifeSeconds = 86_400;

export async function startCheckout(context: WriteContext & WithOwner, details: CheckoutDetails): Promise<NewPayment> {
  const payment = newPayment(context, details);
  await run(context)`${paymentInsertion(payment)}`;
  return payment;
}

export function newPayment(context: Context & WithOwner, details: CheckoutDetails): NewPayment {
  const { merchantId, mode, currency } = context.principal;
  checkReturnAddresses(details, mode);
  const chosen = currencyOr(details.currency, currency);
  const amount = BigInt(details.amount);
  const paymentMethods = details.paymentMethods ?? null;
  checkCharge(getProcessor(context, mode), { amount, currency: chosen, paymentMethods });
  const now = context.clock.now();
  return {
    id: newId(),
    merchantId,
    mode,
    reference: details.reference ?? newReference(),
    accessCode: newAccessCode(),
    amount,
    currency: chosen,
    customerEmail: details.email,
    description: details.description ?? null,
    metadata: details.metadata ?? {},
    callbackUrl: details.callbackUrl ?? null,
    cancelUrl: details.cancelUrl ?? null,
    locale: details.locale ?? null,
    receipt: details.receipt ?? true,
    lineItems: details.lineItems ?? null,
    paymentLinkId: details.paymentLinkId ?? null,
    paymentMethods,
    traceparent: context.span?.traceparent ?? null,
    expiresAt: new Date(now.getTime() + (details.expiresIn ?? defaultLifeSeconds) * 1000),
    createdAt: now,
  };
}

/** A plain object, because creating an entity takes longer: the ORM defines each of its properties. */
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
  | 'receipt'
  | 'lineItems'
  | 'paymentLinkId'
  | 'paymentMethods'
  | 'traceparent'
  | 'expiresAt'
  | 'createdAt'
>;

/**
 * The SQL is written by hand: the ORM writes values into the SQL text, so Postgres would plan every statement again.
 */
export function paymentInsertion(payment: NewPayment): RawBuilder<unknown> {
  return sql`
    insert into payment
      (id, merchant_id, mode, reference, access_code, amount, currency, status, customer_email, description, metadata,
       callback_url, cancel_url, locale, receipt, line_items, payment_link_id, payment_methods, attempts, traceparent,
       expires_at, created_at, updated_at)
    select
      ${payment.id}, ${payment.merchantId}, ${payment.mode}, ${payment.reference}, ${payment.accessCode},
      ${payment.amount.toString()}, ${payment.currency}, 'pending', ${payment.customerEmail},
      ${payment.description}, ${JSON.stringify(payment.metadata)}, ${payment.callbackUrl}, ${payment.cancelUrl},
      ${payment.locale}, ${payment.receipt}, ${payment.lineItems && JSON.stringify(payment.lineItems)},
      ${payment.paymentLinkId}, ${payment.paymentMethods}::text[], 0, ${payment.traceparent},
      ${payment.expiresAt}, ${payment.createdAt}, ${payment.createdAt}`;
}

export interface PaymentFilter {
  status?: readonly PaymentStatus[];
  /** `refunded`: a part of the payment was refunded, or is being refunded. */
  only?: 'refunded' | 'under_review';
  reference?: string;
  customerEmail?: string;
  paymentLinkId?: string;
  currency?: string;
  /** `minAmount` and `maxAmount` are inclusive, and in the minor unit of `currency`. */
  minAmount?: number;
  maxAmount?: number;
  /** Words of which each is in the texts of the payment. */
  search?: string;
  from?: string;
  to?: string;
}

export async function listPayments(
  context: Context & WithOwner,
  filter: PaymentFilter,
  page: Page,
): Promise<Paged<Payment>> {
  const { status, only, reference, customerEmail, paymentLinkId, minAmount, maxAmount, search } = filter;
  const where = { ...matching(context, filter), ...(await whereFound(context, 'payment', filter)) };
  const owner = { merchantId: where.merchantId, mode: where.mode };
  const time = timeOf(filter);
  const { limit, order = 'desc', after } = page;
  if (after) {
    const timed = { ...where, ...createdWithin(time) };
    return findPageAfter(context, Payment, { owner, where: timed, page: { after, order, limit } });
  }
  // Payments are counted by hour only for each status and currency, so other filters cannot use these counts.
  if (only || search || reference || customerEmail || paymentLinkId || minAmount || maxAmount) {
    const place = { ...page, time, total: await context.em.count(Payment, { ...where, ...createdWithin(time) }) };
    const records = await findPage(context, Payment, { owner, where, place, orderBy: { id: order } });
    return { records, total: place.total };
  }
  const counted = { status, currency: where.currency };
  const place = await placePayments(context, { ...counted, ...time }, { ...page, order });
  return { records: await findPlaced(context, counted, { ...place, order }), total: place.total };
}

interface CountedFilter {
  status: readonly PaymentStatus[] | undefined;
  currency: string | undefined;
}

/**
 * In one statement by hand, because nearly all calls of the list come here, and the ORM takes longer than Postgres.
 * See docs/decisions/figures.md, "A page of a long list is found by ids first".
 */
async function findPlaced(
  context: Context & WithOwner,
  { status, currency }: CountedFilter,
  { time, limit, offset, order }: Place & { order: Order },
): Promise<Payment[]> {
  if (!time) return [];
  const { merchantId, mode } = context.principal;
  const { firstId, lastId } = idsOf(time.from, time.to);
  const direction = sql.raw(order);
  const rows = await rowsOutsideTransaction<object>(context)`
    select ${columnsOf(context, Payment, 'payment')} from (
      select id from payment
      where merchant_id = ${merchantId} and mode = ${mode} and id >= ${firstId} and id < ${lastId}
        and created_at >= ${time.from} and created_at < ${time.to}
        ${status ? sql`and status = any(${[...status]}::text[])` : sql``} ${currency ? sql`and currency = ${currency}` : sql``}
      order by id ${direction} ${atMost(limit, offset)}
    ) as page join payment using (id)
    where payment.merchant_id = ${merchantId}
    order by id ${direction}`;
  return rows.map((row) => context.em.map(Payment, row));
}

export async function* readPayments(
  context: Context & WithOwner,
  filter: PaymentFilter,
): AsyncIterableIterator<Payment[]> {
  const found = await whereFound(context, 'payment', filter);
  const where = { ...matching(context, filter), ...createdWithin(timeOf(filter)), ...found };
  yield* readInBatches(context, Payment, { where, by: 'id' });
}

function matching({ principal }: WithOwner, filter: PaymentFilter) {
  const { status, only, reference, customerEmail, paymentLinkId, currency, minAmount, maxAmount } = filter;
  return {
    merchantId: principal.merchantId,
    mode: principal.mode,
    ...(status && { status: { $in: [...status] } }),
    // Indexes have only the payments with these conditions.
    ...(only === 'refunded' && { amountRefunded: { $gt: 0n } }),
    ...(only === 'under_review' && { reviewReason: { $ne: null } }),
    ...(reference && { reference }),
    ...(paymentLinkId && { paymentLinkId }),
    // Postgres lower-cases both email addresses, because JavaScript may convert letters such as Ü differently.
    ...(customerEmail && { [raw('lower(customer_email)')]: raw('lower(?)', [customerEmail]) }),
    // Choice: a filter by amount without a currency uses the merchant's own currency.
    // See docs/decisions/figures.md, "Amounts in filters are compared in one currency".
    ...((currency || minAmount || maxAmount) && { currency: currencyOr(currency, principal.currency) }),
    ...((minAmount || maxAmount) && {
      amount: { ...(minAmount && { $gte: BigInt(minAmount) }), ...(maxAmount && { $lte: BigInt(maxAmount) }) },
    }),
  };
}

export async function getPayment(context: Context & WithPrincipal, reference: string): Promise<Payment> {
  const { merchantId, mode } = context.principal;
  const payment = await context.em.findOne(Payment, { merchantId, mode, reference });
  if (!payment) throw notFound();
  return payment;
}

/** `updatedAt` stays, because a customer's open form would be refused as out of date. */
export async function updatePayment(
  context: WriteContext & WithPrincipal,
  reference: string,
  { note }: { note?: string | null },
): Promise<Payment> {
  const { merchantId, mode } = context.principal;
  const payment = await lockManagedPayment(context, { merchantId, mode, reference });
  if (note !== undefined) payment.note = note;
  return payment;
}

export function checkCharge(
  processor: CheckoutProcessor,
  { amount, currency, paymentMethods }: Pick<Payment, 'amount' | 'currency' | 'paymentMethods'>,
): void {
  if (processor.takes === 'redirect' && !processor.accepts(amount, currency)) {
    throw invalid('unsupported_currency', 'currency', 'is not one in which the payment processor accepts this amount');
  }
  if (methodsOf(processor, { amount, currency }, paymentMethods).length === 0) {
    throw invalid('unsupported_currency', 'paymentMethods', 'has no payment method that is offered for this currency');
  }
}

/** Choice: in live mode, `callbackUrl` and `cancelUrl` use https, because the checkout page sends customers there. */
function checkReturnAddresses({ callbackUrl, cancelUrl }: CheckoutDetails, mode: Mode): void {
  for (const [param, address] of Object.entries({ callbackUrl, cancelUrl })) {
    if (address !== undefined) checkWebAddress(param, address, { httpsOnly: mode === 'live' });
  }
}
