/**
 * The one place that writes to the ledger. A posting is a list of moves from one account to another, so its entries add up
 * to zero by construction; it becomes one transaction, two entries for each move and the new balances, in one statement
 * under the locks of its accounts. A debit that an account cannot bear posts nothing. The same kind and source a second time
 * is refused by the database.
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
 * Whose accounts they are. No posting leaves one of these.
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
  /** Of zero, such as a fee that nobody pays, nothing is written. */
  amount: bigint;
  type: EntryType;
}

export interface Posting {
  owner: Owner;
  kind: LedgerTransactionKind;
  /** What it is posted for: with the kind it makes the posting unique. */
  sourceId: string;
  reference: string | null;
  moves: readonly Move[];
}

interface Leg {
  id: string;
  /** Its place in the posting, which is the order of the statement. */
  place: number;
  kind: AccountKind;
  type: EntryType;
  /** A string, because the numbers of JSON are not exact enough for money. */
  amount: string;
}

const overdrawable: readonly SystemAccountKind[] = ['processor_clearing', 'payout_clearing', 'fees', 'funding'];

/** Whether it was posted: false when an account has too little, and then the caller must roll back. */
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
 * Locks in the order of ids, as everyone does, and opens the accounts that this merchant has not needed before. Whoever posts
 * twice in one transaction locks for both first: what the second adds could stand before what the first holds.
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

async function countLocked(context: WriteContext, owner: Owner, kinds: readonly AccountKind[]): Promise<number> {
  const rows = await rowsOf(context)`
    select id from ledger_account
    where merchant_id = ${owner.merchantId} and mode = ${owner.mode} and currency = ${owner.currency}
      and kind in (${sql.join(kinds)})
    order by id for update`;
  return rows.length;
}

/** No star stands in it, not even to count: a statement with one is planned anew each time. */
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
