import { type FilterQuery, LockMode, raw } from '@mikro-orm/core';
import {
  changedPriceProblem,
  type LinkPrice,
  limitsProblem,
  newPriceProblem,
  notInFuture,
  type PriceProblem,
  priceKindOf,
} from '@tillhook/openapi/rules/payment-link';
import type { Context, WithPrincipal, WriteContext } from '../../context.ts';
import { invalid, notFound } from '../../kit/errors.ts';
import { newId, newSlug } from '../../kit/ids.ts';
import { currencyOr } from '../../kit/money.ts';
import type { Page, Paged } from '../../kit/pagination.ts';
import { checkWebAddress } from '../../kit/web-address.ts';
import { listPage } from '../../platform/database/lists/find-page.ts';
import { whereShortFound } from '../../text-search/text-search.service.ts';
import { getProcessor } from '../payments/get-processor.ts';
import { checkCharge } from '../payments/payments.service.ts';
import { Product } from '../products/product.entity.ts';
import { PaymentLink, type PaymentLinkStatus } from './payment-link.entity.ts';

interface LinkDetails extends LinkPrice {
  name: string;
  slug?: string;
  description?: string | null;
  currency?: string;
  expiresAt?: string | null;
  callbackUrl?: string | null;
  metadata?: Record<string, string>;
  maxPayments?: number | null;
}

type LinkChanges = Partial<Omit<LinkDetails, 'slug' | 'currency' | 'productId'>> & { isActive?: boolean };

type Principal = Context & WithPrincipal;

export async function createPaymentLink(
  context: WriteContext & WithPrincipal,
  details: LinkDetails,
): Promise<PaymentLink> {
  const { merchantId, mode, currency: own } = context.principal;
  refuse(newPriceProblem(details));
  const product = details.productId == null ? null : await findProduct(context, details.productId);
  const currency = product?.currency ?? currencyOr(details.currency, own);
  const now = context.clock.now();
  const link = Object.assign(new PaymentLink(), {
    id: newId(),
    merchantId,
    mode,
    slug: details.slug ?? newSlug(),
    name: details.name,
    description: details.description ?? null,
    ...amountsOf({ amount: null, minAmount: null, maxAmount: null, suggestedAmount: null, ...details }),
    currency,
    productId: product?.id ?? null,
    quantity: product && (details.quantity ?? (details.maxQuantity == null ? 1 : null)),
    maxQuantity: product && (details.maxQuantity ?? null),
    isActive: true,
    expiresAt: futureOf(details.expiresAt, now) ?? null,
    callbackUrl: checkedAddress(context, details.callbackUrl) ?? null,
    metadata: details.metadata ?? {},
    maxPayments: details.maxPayments ?? null,
    completedPayments: 0n,
    completedAmount: 0n,
    createdAt: now,
    updatedAt: now,
  });
  checkFixedAmount(context, link);
  context.em.persist(link);
  return link;
}

export async function getPaymentLink(
  context: Principal,
  id: string,
  options?: { lockMode: LockMode },
): Promise<PaymentLink> {
  const { merchantId, mode } = context.principal;
  const link = await context.em.findOne(PaymentLink, { id, merchantId, mode }, options);
  if (!link) throw notFound();
  return link;
}

export async function listPaymentLinks(
  context: Principal,
  { isActive, status, search }: { isActive?: boolean; status?: readonly PaymentLinkStatus[]; search?: string },
  page: Page,
): Promise<Paged<PaymentLink>> {
  const { merchantId, mode } = context.principal;
  const states = statesAt(context.clock.now());
  const where = {
    merchantId,
    mode,
    ...(isActive !== undefined && { isActive }),
    ...(status && { $or: status.map((one) => states[one]) }),
    ...(await whereShortFound(context, 'paymentLink', { search })),
  };
  return listPage(context, PaymentLink, { owner: { merchantId, mode }, where, page });
}

/** The same as `statusAt` of the entity. */
function statesAt(now: Date): Record<PaymentLinkStatus, FilterQuery<PaymentLink>> {
  const current: FilterQuery<PaymentLink>[] = [
    { isActive: true },
    { $or: [{ expiresAt: null }, { expiresAt: { $gt: now } }] },
  ];
  const isFull = { maxPayments: { $lte: raw('completed_payments') } };
  return {
    active: { $and: [...current, { $or: [{ maxPayments: null }, { $not: isFull }] }] },
    stopped: { isActive: false },
    expired: { isActive: true, expiresAt: { $lte: now } },
    limit_reached: { $and: [...current, isFull] },
  };
}

export async function updatePaymentLink(
  context: WriteContext & WithPrincipal,
  id: string,
  changes: LinkChanges,
): Promise<PaymentLink> {
  const link = await getPaymentLink(context, id, { lockMode: LockMode.PESSIMISTIC_WRITE });
  const now = context.clock.now();
  const { amount, minAmount, maxAmount, suggestedAmount, quantity, maxQuantity, expiresAt, ...others } = changes;
  refuse(changedPriceProblem(priceKindOf(priceOf(link)), changes));
  refuse(limitsProblem({ ...priceOf(link), ...changes }));
  checkedAddress(context, changes.callbackUrl);
  const changed = {
    ...others,
    ...amountsOf({ amount, minAmount, maxAmount, suggestedAmount }),
    ...(quantity != null && { quantity, maxQuantity: null }),
    ...(maxQuantity != null && { quantity: null, maxQuantity }),
    ...(expiresAt !== undefined && { expiresAt: futureOf(expiresAt, now) ?? null }),
  };
  link.change(changed, now);
  if (amount != null) checkFixedAmount(context, link);
  return link;
}

type Amounts = Pick<LinkPrice, 'amount' | 'minAmount' | 'maxAmount' | 'suggestedAmount'>;

function priceOf(link: PaymentLink): LinkPrice {
  const { amount, minAmount, maxAmount, suggestedAmount, productId } = link;
  const plain = (one: bigint | null | undefined) => (one == null ? null : Number(one));
  return {
    productId,
    amount: plain(amount),
    minAmount: plain(minAmount),
    maxAmount: plain(maxAmount),
    suggestedAmount: plain(suggestedAmount),
  };
}

/** Leaves out the amounts that are undefined. */
function amountsOf({ amount, minAmount, maxAmount, suggestedAmount }: Amounts) {
  const stored = (one: number | null) => (one === null ? null : BigInt(one));
  return {
    ...(amount !== undefined && { amount: stored(amount) }),
    ...(minAmount !== undefined && { minAmount: stored(minAmount) }),
    ...(maxAmount !== undefined && { maxAmount: stored(maxAmount) }),
    ...(suggestedAmount !== undefined && { suggestedAmount: stored(suggestedAmount) }),
  };
}

function refuse(found: PriceProblem | null): void {
  if (found) throw invalid('invalid_parameter', found.param, found.problem);
}

async function findProduct(context: Principal, id: string): Promise<Product> {
  const { merchantId, mode } = context.principal;
  const product = await context.em.findOne(Product, { id, merchantId, mode, isActive: true });
  if (!product)
    throw invalid('invalid_parameter', 'productId', 'is the id of none of your active products in this mode');
  return product;
}

function futureOf(at: string | null | undefined, now: Date): Date | null | undefined {
  if (at == null) return at;
  const time = new Date(at);
  if (time <= now) throw invalid('invalid_parameter', 'expiresAt', notInFuture);
  return time;
}

function checkedAddress({ principal }: Principal, address: string | null | undefined): string | null | undefined {
  if (address != null) checkWebAddress('callbackUrl', address, { httpsOnly: principal.mode === 'live' });
  return address;
}

/** Other amounts are checked when a customer enters them. Choice: without a processor, a mode has no links either. */
function checkFixedAmount(context: Principal, { amount, currency }: PaymentLink): void {
  const processor = getProcessor(context, context.principal.mode);
  if (amount != null) checkCharge(processor, { amount, currency, paymentMethods: null });
}
