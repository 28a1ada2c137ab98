import { LockMode } from '@mikro-orm/core';
import type { Called, Context, WriteContext } from '../../context.ts';
import { rowsOf, run } from '../../database/statement.ts';
import { AppError, invalid } from '../../kit/errors.ts';
import { newId } from '../../kit/ids.ts';
import { isCurrency } from '../../kit/money.ts';
import type { Page, Paged } from '../../kit/pagination.ts';
import { Merchant } from './merchant.entity.ts';

/** As the contract has it, in characters: an answer with a longer one would be refused on its way out. */
const longestName = 120;

export function createMerchant(
  context: WriteContext,
  { name, currency }: { name: string; currency: string },
): Merchant {
  if (!isCurrency(currency)) throw invalid('unsupported_currency', 'currency', 'is not a currency of ISO 4217');
  if ([...name].length > longestName) {
    throw invalid('invalid_parameter', 'name', `must not be longer than ${longestName} characters`);
  }
  const createdAt = context.clock.now();
  const merchant = Object.assign(new Merchant(), {
    id: newId(),
    name,
    currency,
    transferFee: 0n,
    createdAt,
    requiresTwoStep: false,
    suspendedAt: null,
  });
  context.em.persist(merchant);
  return merchant;
}

/** The oldest first. */
export function listMerchants(context: Context): Promise<Merchant[]> {
  return context.em.find(Merchant, {}, { orderBy: { id: 'asc' } });
}

/** The newest first. */
export async function pageMerchants(context: Context, page: Page): Promise<Paged<Merchant>> {
  const [records, total] = await context.em.findAndCount(Merchant, {}, { ...page, orderBy: { id: 'desc' } });
  return { records, total };
}

/** Each record with the merchant that it belongs to, in the same order. */
export async function withMerchants<Owned extends { merchantId: string }>(
  context: Context,
  records: readonly Owned[],
): Promise<[Owned, Merchant][]> {
  const ids = [...new Set(records.map(({ merchantId }) => merchantId))];
  const merchants = new Map((await context.em.find(Merchant, { id: { $in: ids } })).map((one) => [one.id, one]));
  return records.flatMap((record): [Owned, Merchant][] => {
    const merchant = merchants.get(record.merchantId);
    return merchant ? [[record, merchant]] : [];
  });
}

export async function getMerchant(context: Context, id: string): Promise<Merchant> {
  const merchant = await context.em.findOne(Merchant, { id });
  if (!merchant) throw new AppError('resource_not_found', `There is no merchant ${id}`);
  return merchant;
}

/** The merchant that is calling. */
export function getOwnMerchant(context: Context & Called): Promise<Merchant> {
  return getMerchant(context, context.principal.merchantId);
}

/** The same, locked: whatever a merchant may have only so many of is made one after the other. */
export async function lockOwnMerchant({ em, principal }: WriteContext & Called): Promise<void> {
  await em.findOne(Merchant, { id: principal.merchantId }, { lockMode: LockMode.PESSIMISTIC_WRITE });
}

/** What customers see of a merchant on the hosted page. */
export interface Brand {
  name: string;
  logoUrl?: string | null;
  colour?: string | null;
}

/** What customers see from now on. What is left out stays as it is. */
export function changeBrand(merchant: Merchant, { name, logoUrl, colour }: Partial<Brand>): void {
  if (name !== undefined) merchant.name = name;
  if (logoUrl !== undefined) merchant.logoUrl = logoUrl;
  if (colour !== undefined) merchant.colour = colour?.toLowerCase() ?? null;
}

/** What each transfer costs from now on. Those that were begun keep what they cost then. */
export function setTransferFee(merchant: Merchant, fee: bigint): void {
  merchant.transferFee = fee;
}

/** By hand, because every transfer asks: the ORM's statement would be planned anew each time. */
export async function transferFeeOf(tx: WriteContext, merchantId: string): Promise<bigint> {
  const [merchant] = await rowsOf<{ transfer_fee: string }>(tx)`
    select transfer_fee from merchant where id = ${merchantId}`;
  if (!merchant) throw new Error('A key outlived its merchant.');
  return BigInt(merchant.transfer_fee);
}

/**
 * From now on every call of this merchant is refused, and its people are signed out. What is owed to it is still delivered.
 * Operators stay signed in: they work for the service, whichever merchant they were made with.
 */
export async function suspendMerchant(context: WriteContext, merchant: Merchant): Promise<void> {
  merchant.suspendedAt ??= context.clock.now();
  await run(context)`
    delete from dashboard_session using dashboard_user
    where dashboard_user.id = user_id and merchant_id = ${merchant.id} and role <> 'operator'`;
}

export function resumeMerchant(merchant: Merchant): void {
  merchant.suspendedAt = null;
}
