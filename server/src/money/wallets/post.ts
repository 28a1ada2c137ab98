/**
 * The only code that writes to the ledger. A posting moves money between accounts, so its entries always add up to
 * zero.
 * See docs/decisions/money.md, "A posting is one statement".
 */
import { sql } from 'kysely';
import type { WriteContext } from '../../context.ts';
import { newId } from '../../kit/ids.ts';
import type { Mode } from '../../kit/mode.ts';
import { rowsOf, run } from '../../platform/database/statement.ts';
import type { AccountKind, SystemAccountKind } from './ledger-account.entity.ts';
import type { EntryType } from './ledger-entry.entity.ts';
import type { LedgerTransactionKind } from './ledger-transaction.entity.ts';

// See docs/decisions/money.md, "Each merchant has ledger accounts for everything".
export interface AccountOwner {
  merchantId: string;
  mode: Mode;
  currency: string;
}

export interface Move {
  from: AccountKind;
  to: AccountKind;
  /** A move of zero, such as a fee of zero, writes no entries. */
  amount: bigint;
  type: EntryType;
}

export interface Posting {
  owner: AccountOwner;
  kind: LedgerTransactionKind;
  /** `kind` and `sourceId` make a posting unique: the database refuses a second posting with the same values. */
  sourceId: string;
  reference: string | null;
  moves: readonly Move[];
  /** A posting that would bring an account above this balance is not written. */
  maxBalance?: bigint;
}

/** Amounts are strings, because JSON numbers are not exact enough. */
interface Change {
  kind: AccountKind;
  amount: string;
  entries: number;
}

interface Leg {
  id: string;
  kind: AccountKind;
  type: EntryType;
  amount: string;
  /** How many entries this posting writes to the same account after this entry, and the sum of their amounts. */
  later_entries: number;
  later_amount: string;
}

const maxInColumn = 2n ** 63n - 1n;

const overdrawable: readonly SystemAccountKind[] = ['processor_clearing', 'payout_clearing', 'fees', 'funding'];

/** Writes nothing and returns false when an account has too little money, or would exceed `maxBalance`. */
export async function post(context: WriteContext, posting: Posting): Promise<boolean> {
  const { changes, legs } = entriesOf(posting.moves);
  if (await write(context, posting, { changes, legs })) return true;
  // The accounts may not exist yet: `lockAccounts` creates them.
  const kinds = changes.map(({ kind }) => kind);
  await lockAccounts(context, posting.owner, kinds);
  return write(context, posting, { changes, legs });
}

interface Entries {
  changes: Change[];
  legs: Leg[];
}

/** Starts with the last entry: SQL computes each entry's balance from the final balance and the entries after it. */
export function entriesOf(moves: readonly Move[]): Entries {
  const totals = new Map<AccountKind, { amount: bigint; entries: number }>();
  const legs = moves
    .filter(({ amount }) => amount > 0n)
    .flatMap(({ from, to, amount, type }) => [
      { kind: from, type, amount: -amount },
      { kind: to, type, amount },
    ])
    .reverse()
    .map(({ kind, type, amount }) => {
      const later = totals.get(kind) ?? { amount: 0n, entries: 0 };
      totals.set(kind, { amount: later.amount + amount, entries: later.entries + 1 });
      const of = { later_entries: later.entries, later_amount: String(later.amount) };
      return { id: newId(), kind, type, amount: String(amount), ...of };
    });
  const changes = [...totals].map(([kind, { amount, entries }]) => ({ kind, amount: String(amount), entries }));
  return { changes, legs };
}

/**
 * All transactions lock accounts in the order of their ids, which prevents deadlocks. A transaction that posts twice
 * must first lock the accounts of both postings.
 */
export async function lockAccounts(
  context: WriteContext,
  owner: AccountOwner,
  kinds: readonly AccountKind[],
): Promise<void> {
  if ((await countLocked(context, owner, kinds)) === kinds.length) return;
  const accounts = kinds.map((kind) => ({ id: newId(), kind }));
  await run(context)`
    insert into ledger_account (id, merchant_id, mode, currency, kind)
    select id, ${owner.merchantId}, ${owner.mode}, ${owner.currency}, kind
    from json_to_recordset(${JSON.stringify(accounts)}::json) as opened (id uuid, kind text)
    on conflict on constraint ledger_account_unique do nothing`;
  await countLocked(context, owner, kinds);
}

export async function balanceOf(context: WriteContext, owner: AccountOwner, kind: AccountKind): Promise<bigint> {
  const [account] = await rowsOf<{ balance: string }>(context)`
    select balance from ledger_account
    where merchant_id = ${owner.merchantId} and mode = ${owner.mode} and currency = ${owner.currency} and kind = ${kind}`;
  return BigInt(account?.balance ?? 0);
}

async function countLocked(context: WriteContext, owner: AccountOwner, kinds: readonly AccountKind[]): Promise<number> {
  const rows = await rowsOf(context)`
    select id from ledger_account
    where merchant_id = ${owner.merchantId} and mode = ${owner.mode} and currency = ${owner.currency}
      and kind in (${sql.join(kinds)})
    order by id for update`;
  return rows.length;
}

/** `locked` reads the newest version of each account, even after it had to wait for another transaction. */
async function write(context: WriteContext, posting: Posting, { changes, legs }: Entries): Promise<boolean> {
  const { owner, kind, sourceId, reference, maxBalance = maxInColumn } = posting;
  const transactionId = newId();
  const isComplete = sql`(select count(id) from funded) = ${changes.length}::int`;
  const rows = await rowsOf(context)`
    with change as materialized (
      select kind, amount, entries from json_to_recordset(${JSON.stringify(changes)}::json)
        as change (kind text, amount bigint, entries int)
    ), locked as materialized (
      select id, kind, balance from ledger_account
      where merchant_id = ${owner.merchantId} and mode = ${owner.mode} and currency = ${owner.currency}
        and kind in (select kind from change)
      order by id for update of ledger_account
    ), funded as materialized (
      select id, amount, entries from locked join change on change.kind = locked.kind
      where (balance + amount >= 0 or locked.kind in (${sql.join(overdrawable)}))
        and (amount < 0 or balance + amount <= ${String(maxBalance)}::bigint)
    ), changed as (
      update ledger_account as account
      set balance = account.balance + funded.amount, entry_count = account.entry_count + funded.entries
      from funded where account.merchant_id = ${owner.merchantId} and account.id = funded.id and ${isComplete}
      returning account.id, account.kind, account.balance, account.entry_count
    ), transaction as (
      insert into ledger_transaction (id, merchant_id, mode, currency, kind, source_id, reference, created_at)
      select ${transactionId}, ${owner.merchantId}, ${owner.mode}, ${owner.currency}, ${kind}, ${sourceId},
        ${reference}, ${context.clock.now()} where ${isComplete}
    )
    insert into ledger_entry (id, transaction_id, account_id, number, type, amount, balance)
    select leg.id, ${transactionId}, changed.id, changed.entry_count - leg.later_entries, leg.type, leg.amount,
      changed.balance - leg.later_amount
    from json_to_recordset(${JSON.stringify(legs)}::json)
      as leg (id uuid, kind text, type text, amount bigint, later_entries int, later_amount bigint)
    join changed on changed.kind = leg.kind
    returning id`;
  return rows.length === legs.length;
}
