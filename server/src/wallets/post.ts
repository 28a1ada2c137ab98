/**
 * The only code that writes to the ledger. A posting is a list of moves from one account to another, so its entries
 * always add up to zero. One statement, under the locks of the accounts, writes one transaction, two entries for each
 * move, and the new balances. When an account has too little for its debit, nothing is posted. The database refuses a
 * second posting with the same kind and source.
 */
import { sql } from 'kysely';
import type { WriteContext } from '../context.ts';
import { rowsOf, run } from '../database/statement.ts';
import { newId } from '../kit/ids.ts';
import type { Mode } from '../kit/mode.ts';
import type { AccountKind, SystemAccountKind } from './ledger-account.entity.ts';
import type { EntryType } from './ledger-entry.entity.ts';
import type { LedgerTransactionKind } from './ledger-transaction.entity.ts';

/**
 * The owner of accounts. All accounts of a posting have the same owner.
 * See docs/decisions/money.md, "Each merchant has ledger accounts for everything".
 */
export interface Owner {
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
  owner: Owner;
  kind: LedgerTransactionKind;
  /** The id of what it is posted for. Kind and source together make the posting unique. */
  sourceId: string;
  reference: string | null;
  moves: readonly Move[];
}

interface Leg {
  id: string;
  /** Its position in the posting. Entries are numbered in this order. */
  place: number;
  kind: AccountKind;
  type: EntryType;
  /** A string, because the numbers of JSON are not exact enough for money. */
  amount: string;
}

const overdrawable: readonly SystemAccountKind[] = ['processor_clearing', 'payout_clearing', 'fees', 'funding'];

/** Writes the posting. False when an account has too little; then the caller must roll back the transaction. */
export async function post(context: WriteContext, posting: Posting): Promise<boolean> {
  const legs = posting.moves.filter(({ amount }) => amount > 0n).flatMap(legsOf);
  await lockAccounts(context, posting.owner, [...new Set(legs.map(({ kind }) => kind))].sort());
  return write(context, posting, legs);
}

function legsOf({ from, to, amount, type }: Move, index: number): Leg[] {
  return [
    { id: newId(), place: 2 * index, kind: from, type, amount: String(-amount) },
    { id: newId(), place: 2 * index + 1, kind: to, type, amount: String(amount) },
  ];
}

/**
 * Locks the accounts in the order of their ids, and creates those that the merchant does not have yet. One order for
 * all transactions prevents deadlocks. A transaction that posts twice must first lock the accounts of both postings
 * here: otherwise its second posting could lock an account whose id is lower than one it already holds.
 */
export async function lockAccounts(context: WriteContext, owner: Owner, kinds: readonly AccountKind[]): Promise<void> {
  if ((await countLocked(context, owner, kinds)) === kinds.length) return;
  const accounts = kinds.map((kind) => ({ id: newId(), kind }));
  await run(context)`
    insert into ledger_account (id, merchant_id, mode, currency, kind)
    select id, ${owner.merchantId}, ${owner.mode}, ${owner.currency}, kind
    from json_to_recordset(${JSON.stringify(accounts)}::json) as opened (id uuid, kind text)
    on conflict on constraint ledger_account_unique do nothing`;
  await countLocked(context, owner, kinds);
}

/** The balance of an account that this transaction has locked. */
export async function balanceOf(context: WriteContext, owner: Owner, kind: AccountKind): Promise<bigint> {
  const [account] = await rowsOf<{ balance: string }>(context)`
    select balance from ledger_account
    where merchant_id = ${owner.merchantId} and mode = ${owner.mode} and currency = ${owner.currency} and kind = ${kind}`;
  return BigInt(account?.balance ?? 0);
}

async function countLocked(context: WriteContext, owner: Owner, kinds: readonly AccountKind[]): Promise<number> {
  const rows = await rowsOf(context)`
    select id from ledger_account
    where merchant_id = ${owner.merchantId} and mode = ${owner.mode} and currency = ${owner.currency}
      and kind in (${sql.join(kinds)})
    order by id for update`;
  return rows.length;
}

/** The statement has no `*`, not even in a count, because a statement with one is planned again at every call. */
async function write(context: WriteContext, posting: Posting, legs: readonly Leg[]): Promise<boolean> {
  const { owner, kind, sourceId, reference } = posting;
  const transactionId = newId();
  const rows = await rowsOf(context)`
    with leg as (
      select id, place, kind, type, amount from json_to_recordset(${JSON.stringify(legs)}::json)
        as leg (id uuid, place int, kind text, type text, amount bigint)
    ), change as (
      select kind, sum(amount)::bigint as amount, count(id) as entries from leg group by kind
    ), changed as (
      update ledger_account as account
      set balance = account.balance + change.amount, entry_count = account.entry_count + change.entries
      from change
      where account.merchant_id = ${owner.merchantId} and account.mode = ${owner.mode}
        and account.currency = ${owner.currency} and account.kind = change.kind
        and (account.balance + change.amount >= 0 or account.kind in (${sql.join(overdrawable)}))
      returning account.id, account.kind, account.balance, account.entry_count
    ), transaction as (
      insert into ledger_transaction (id, merchant_id, mode, currency, kind, source_id, reference, created_at)
      values (${transactionId}, ${owner.merchantId}, ${owner.mode}, ${owner.currency}, ${kind}, ${sourceId},
        ${reference}, ${context.clock.now()})
    )
    insert into ledger_entry (id, transaction_id, account_id, number, type, amount, balance)
    select leg.id, ${transactionId}, changed.id, changed.entry_count - count(leg.id) over later, leg.type, leg.amount,
      changed.balance - coalesce(sum(leg.amount) over later, 0)
    from leg join changed on changed.kind = leg.kind
    where (select count(id) from changed) = (select count(kind) from change)
    window later as (partition by leg.kind order by leg.place desc rows between unbounded preceding and 1 preceding)
    returning id`;
  return rows.length === legs.length;
}
