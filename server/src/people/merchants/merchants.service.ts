import { type EntityClass, type FilterQuery, LockMode } from '@mikro-orm/core';
import type { Context, WithPrincipal, WriteContext } from '../../context.ts';
import { AppError, invalid } from '../../kit/errors.ts';
import { newId } from '../../kit/ids.ts';
import { checkCurrency } from '../../kit/money.ts';
import type { Page, Paged } from '../../kit/pagination.ts';
import { listPage } from '../../platform/database/lists/find-page.ts';
import { rowsOf, run } from '../../platform/database/statement.ts';
import { Merchant } from './merchant.entity.ts';

/** The maximum length of a name in the contract: an answer with a longer name would violate the contract. */
const maxNameLength = 120;

export function createMerchant(
  context: WriteContext,
  { name, currency }: { name: string; currency: string },
): Merchant {
  checkCurrency(currency);
  if ([...name].length > maxNameLength) {
    throw invalid('invalid_parameter', 'name', `must not be longer than ${maxNameLength} characters`);
  }
  const createdAt = context.clock.now();
  const merchant = Object.assign(new Merchant(), {
    id: newId(),
    name,
    currency,
    timeZone: 'UTC',
    transferFee: 0n,
    createdAt,
    requiresTwoStep: false,
    suspendedAt: null,
  });
  context.em.persist(merchant);
  return merchant;
}

export function listMerchants(context: Context): Promise<Merchant[]> {
  return context.em.find(Merchant, {}, { orderBy: { id: 'asc' } });
}

export function pageMerchants(context: Context, page: Page): Promise<Paged<Merchant>> {
  return listPage(context, Merchant, { owner: {}, where: {}, page });
}

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

export function getOwnMerchant(context: Context & WithPrincipal): Promise<Merchant> {
  return getMerchant(context, context.principal.merchantId);
}

/**
 * Locks the row of the caller's merchant, so that concurrent calls cannot together exceed a maximum number of records.
 */
export function lockOwnMerchant(context: WriteContext & WithPrincipal): Promise<void> {
  return lockMerchant(context, context.principal.merchantId);
}

/** Choice: new rows that refer to the merchant do not wait, because a payment or a sign-in must not wait for a change. */
export async function lockMerchant(context: WriteContext, id: string): Promise<void> {
  await run(context)`select from merchant where id = ${id} for no key update`;
}

/**
 * Locks one row and then reads its merchant, without a lock: otherwise the calls of one merchant would wait for each
 * other, and would block changes that lock the merchant first.
 */
export async function lockWithMerchant<Owned extends { merchant: Merchant }>(
  context: WriteContext,
  entity: EntityClass<Owned>,
  where: FilterQuery<NoInfer<Owned>>,
): Promise<Owned | null> {
  const found = await context.em.findOne(entity, where, { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true });
  if (found) await readMerchantsOf(context, [found]);
  return found as Owned | null;
}

export async function readMerchantsOf({ em }: Context, owned: readonly { merchant: Merchant }[]): Promise<void> {
  await em.find(Merchant, { id: { $in: owned.map(({ merchant }) => merchant.id) } }, { refresh: true });
}

export interface OwnSettings extends Brand {
  timeZone: string;
  sendReceipts: boolean;
  replyTo: string | null;
}

/** The settings of a merchant that customers see. */
export interface Brand {
  name: string;
  colour: string | null;
  termsUrl: string | null;
  supportUrl: string | null;
  supportEmail: string | null;
  statementName: string | null;
}

export function changeSettings(merchant: Merchant, { colour, ...others }: Partial<OwnSettings>): void {
  Object.assign(merchant, others);
  if (colour !== undefined) merchant.colour = colour?.toLowerCase() ?? null;
}

export function setTransferFee(merchant: Merchant, fee: bigint): void {
  merchant.transferFee = fee;
}

/** The SQL is written by hand, because Postgres would plan the ORM's statement for every transfer. */
export async function transferFeeOf(tx: WriteContext, merchantId: string): Promise<bigint> {
  const [merchant] = await rowsOf<{ transfer_fee: string }>(tx)`
    select transfer_fee from merchant where id = ${merchantId}`;
  if (!merchant) throw new Error(`Merchant ${merchantId} does not exist.`);
  return BigInt(merchant.transfer_fee);
}

/** Signs out the merchant's users, except operators. Deliveries of a suspended merchant are still sent. */
export async function suspendMerchant(context: WriteContext, merchant: Merchant): Promise<void> {
  merchant.suspendedAt ??= context.clock.now();
  await run(context)`
    delete from dashboard_session using dashboard_user
    where dashboard_user.id = user_id and merchant_id = ${merchant.id} and role <> 'operator'`;
}

export function resumeMerchant(merchant: Merchant): void {
  merchant.suspendedAt = null;
}
