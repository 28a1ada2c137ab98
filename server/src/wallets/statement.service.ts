/** The part of the ledger that merchants see: their wallets, and the entries of each wallet. */
import type { Context, WithPrincipal } from '../context.ts';
import { AppError } from '../kit/errors.ts';
import { currencyOr } from '../kit/money.ts';
import { createdBetween, type Page, type Paged, timeOf } from '../kit/pagination.ts';
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

/**
 * Two wallets for the merchant's own currency, even without entries, and two for each other currency that has an
 * account. They are ordered by currency, then by kind.
 */
export async function listWallets(context: Context & WithPrincipal): Promise<Wallet[]> {
  const accounts = await findAccounts(context);
  return currenciesOf(context, accounts).flatMap((currency) =>
    walletKinds.map((kind) => walletOf(accounts, kind, currency)),
  );
}

export async function getWallet(context: Context & WithPrincipal, kind: WalletKind, currency: string): Promise<Wallet> {
  return walletOf(await findAccounts(context, currency), kind, currency);
}

/** The statement of one wallet, newest first. */
export async function listWalletEntries(
  context: Context & WithPrincipal,
  kind: WalletKind,
  { page, filter }: { page: Page; filter: EntryFilter },
): Promise<Paged<LedgerEntry>> {
  const accounts = await findAccounts(context);
  const currency = chosenCurrency(context, accounts, filter.currency);
  const account = accounts.find((each) => each.kind === kind && each.currency === currency);
  if (!account) return { records: [], total: 0 };
  const { merchantId, mode } = context.principal;
  const { reference } = filter;
  const created = createdBetween(filter);
  const options = {
    // Not by id, as in other lists: when the clocks of processes differ, the running balances would be out of order.
    orderBy: { number: 'desc' },
    populate: ['transaction'],
  } as const;
  if (reference) {
    const where = { accountId: account.id, transaction: { merchantId, mode, reference, ...created } };
    const [found, total] = await context.em.findAndCount(LedgerEntry, where, { ...page, ...options });
    return { records: found, total };
  }
  const { after, upTo, offset, total } = await placeEntries(context, { account, time: timeOf(filter) }, page);
  const where = {
    accountId: account.id,
    number: { $gt: BigInt(after), $lte: BigInt(upTo) },
    ...(created.createdAt && { transaction: created }),
  };
  const records = await context.em.find(LedgerEntry, where, { limit: page.limit, offset, ...options });
  return { records, total };
}

/**
 * Reads past the ORM's identity map, because `post.ts` writes the
 * ledger in SQL, and the identity map does not see that.
 */
function findAccounts(context: Context & WithPrincipal, currency?: string): Promise<LedgerAccount[]> {
  const { merchantId, mode } = context.principal;
  const kind: AccountKind[] = [...walletKinds, 'transfer_reserved'];
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
    reserved: kind === 'transfer' ? balanceOf('transfer_reserved') : 0n,
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
