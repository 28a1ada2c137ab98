import type { Context, WithPrincipal } from '../../context.ts';
import { AppError } from '../../kit/errors.ts';
import { currencyOr } from '../../kit/money.ts';
import { createdBetween, type Page, type Paged, timeOf } from '../../kit/pagination.ts';
import { type PageAfter, unknownAfter } from '../../platform/database/lists/find-page.ts';
import { readInBatches } from '../../platform/database/lists/read-in-batches.ts';
import { type AccountKind, LedgerAccount, type WalletKind } from './ledger-account.entity.ts';
import { LedgerEntry } from './ledger-entry.entity.ts';
import { placeEntries } from './place-entries.ts';

export interface Wallet {
  kind: WalletKind;
  currency: string;
  available: bigint;
  reserved: bigint;
}

export interface EntryFilter {
  currency?: string;
  /** The reference of the payment, transfer or top-up that moved the money. */
  reference?: string;
  from?: string;
  to?: string;
}

const walletKinds: readonly WalletKind[] = ['collection', 'transfer'];

const reservedKinds = { collection: 'refund_reserved', transfer: 'transfer_reserved' } as const satisfies Record<
  WalletKind,
  AccountKind
>;

/** Lists two wallets for the merchant's own currency, and two for every other currency that has a ledger account. */
export async function listWallets(context: Context & WithPrincipal): Promise<Wallet[]> {
  const accounts = await findAccounts(context);
  return currenciesOf(context, accounts).flatMap((currency) =>
    walletKinds.map((kind) => walletOf(accounts, kind, currency)),
  );
}

export async function getWallet(context: Context & WithPrincipal, kind: WalletKind, currency: string): Promise<Wallet> {
  return walletOf(await findAccounts(context, currency), kind, currency);
}

export async function listWalletEntries(
  context: Context & WithPrincipal,
  kind: WalletKind,
  { page, filter }: { page: Page; filter: EntryFilter },
): Promise<Paged<LedgerEntry>> {
  const account = await findAccount(context, kind, filter);
  if (!account && page.after) throw unknownAfter();
  if (!account) return { records: [], total: 0 };
  const { limit, order = 'desc', after } = page;
  const options = { orderBy: { [statementOrder]: order }, populate: ['transaction'] } as const;
  if (after) return listEntriesAfter(context, { account, filter }, { after, order, limit });
  if (filter.reference) {
    const where = withReference(context, account, filter);
    const [found, total] = await context.em.findAndCount(LedgerEntry, where, {
      limit,
      offset: page.offset,
      ...options,
    });
    return { records: found, total };
  }
  const query = { account, time: timeOf(filter) };
  const newestFirst = order === 'desc' ? page : await fromTheEnd(context, query, page);
  const { offset, total, ...numbers } = await placeEntries(context, query, newestFirst);
  if (newestFirst.limit === 0) return { records: [], total };
  const where = within(account, filter, numbers);
  const found = { limit: newestFirst.limit, offset, ...options, orderBy: { [statementOrder]: 'desc' } } as const;
  const records = await context.em.find(LedgerEntry, where, found);
  return { records: order === 'desc' ? records : records.reverse(), total };
}

/** Converts a page that counts from the oldest entry to the same page, counted from the newest entry. */
async function fromTheEnd(context: Context, query: Parameters<typeof placeEntries>[1], { limit, offset }: Page) {
  const { total } = await placeEntries(context, query, { limit: 1, offset: 0 });
  const end = Math.max(0, total - offset);
  return { limit: Math.min(limit, end), offset: Math.max(0, end - limit) };
}

interface Statement {
  account: LedgerAccount;
  filter: EntryFilter;
}

async function listEntriesAfter(
  context: Context & WithPrincipal,
  { account, filter }: Statement,
  { after, order, limit }: PageAfter,
): Promise<Paged<LedgerEntry>> {
  const last = await context.em.findOne(LedgerEntry, { id: after, accountId: account.id });
  if (!last) throw unknownAfter();
  const beyond = { [statementOrder]: order === 'asc' ? { $gt: last.number } : { $lt: last.number } };
  const listed = filter.reference
    ? withReference(context, account, filter)
    : within(account, filter, await numbersOf(context, account, filter));
  const where = { $and: [listed, beyond] };
  const options = { orderBy: { [statementOrder]: order }, populate: ['transaction'], limit: limit + 1 } as const;
  const found = await context.em.find(LedgerEntry, where, options);
  return { records: found.slice(0, limit), total: found.length };
}

export async function* readWalletEntries(
  context: Context & WithPrincipal,
  kind: WalletKind,
  filter: EntryFilter,
): AsyncIterableIterator<LedgerEntry[]> {
  const account = await findAccount(context, kind, filter);
  if (!account) return;
  const options = { by: statementOrder, populate: ['transaction'] } as const;
  if (filter.reference) {
    yield* readInBatches(context, LedgerEntry, { where: withReference(context, account, filter), ...options });
    return;
  }
  const where = within(account, filter, await numbersOf(context, account, filter));
  yield* readInBatches(context, LedgerEntry, { where, ...options });
}

/** Without this range of numbers, Postgres would read entry by entry until it reaches the period. */
async function numbersOf(context: Context, account: LedgerAccount, filter: EntryFilter) {
  const { after, upTo } = await placeEntries(context, { account, time: timeOf(filter) }, { limit: 1, offset: 0 });
  return { after, upTo };
}

/** Entries are ordered by number, because ids depend on the clocks of the processes, which may differ. */
const statementOrder = 'number';

/** Null when nothing has been posted to the wallet yet. */
async function findAccount(
  context: Context & WithPrincipal,
  kind: WalletKind,
  { currency: wanted }: EntryFilter,
): Promise<LedgerAccount | null> {
  const accounts = await findAccounts(context);
  const currency = chosenCurrency(context, accounts, wanted);
  return accounts.find((each) => each.kind === kind && each.currency === currency) ?? null;
}

function withReference({ principal }: WithPrincipal, { id }: LedgerAccount, filter: EntryFilter) {
  const { merchantId, mode } = principal;
  return { accountId: id, transaction: { merchantId, mode, reference: filter.reference, ...createdBetween(filter) } };
}

function within({ id }: LedgerAccount, filter: EntryFilter, { after, upTo }: { after: number; upTo: number }) {
  const created = createdBetween(filter);
  return {
    accountId: id,
    number: { $gt: BigInt(after), $lte: BigInt(upTo) },
    ...(created.createdAt && { transaction: created }),
  };
}

/** Bypasses the ORM's identity map, which may be out of date, because `post.ts` writes the ledger in SQL. */
function findAccounts(context: Context & WithPrincipal, currency?: string): Promise<LedgerAccount[]> {
  const { merchantId, mode } = context.principal;
  const kind: AccountKind[] = [...walletKinds, ...Object.values(reservedKinds)];
  const where = { merchantId, mode, kind: { $in: kind }, ...(currency && { currency }) };
  return context.em.find(LedgerAccount, where, { disableIdentityMap: true });
}

function currenciesOf({ principal }: WithPrincipal, accounts: readonly LedgerAccount[]): string[] {
  return [...new Set([principal.currency, ...accounts.map(({ currency }) => currency)])].sort();
}

function walletOf(accounts: readonly LedgerAccount[], kind: WalletKind, currency: string): Wallet {
  const balanceOf = (wanted: AccountKind) =>
    accounts.find((account) => account.kind === wanted && account.currency === currency)?.balance ?? 0n;
  return {
    kind,
    currency,
    available: balanceOf(kind),
    reserved: balanceOf(reservedKinds[kind]),
  };
}

function chosenCurrency(
  context: WithPrincipal,
  accounts: readonly LedgerAccount[],
  wanted: string | undefined,
): string {
  if (wanted === undefined && currenciesOf(context, accounts).length > 1) {
    const message = 'is required, because there are wallets in several currencies';
    throw new AppError('missing_parameter', `currency ${message}`, {
      param: 'currency',
      details: [{ path: '/currency', code: 'missing_parameter', message }],
    });
  }
  return currencyOr(wanted, context.principal.currency);
}
