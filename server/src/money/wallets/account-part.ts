/**
 * The part of the ledger check that goes by accounts: 2, 3, 4, 7 and 10. Entries never change, and those of an account are
 * numbered without gaps. So the entries of a large account are read in several statements, and each goes on with what the
 * ones before have counted. The last one compares with the account, which it reads from the same snapshot.
 */
import { type RawBuilder, sql } from 'kysely';
import { rowsOf } from '../../platform/database/statement.ts';
import { type CheckContext, checkPart, type Fact, type FoundBreaches } from './check-part.ts';

const merchantKinds = sql`('collection', 'transfer', 'transfer_reserved', 'refund_reserved')`;

/** What was counted of an account so far: its entries up to a number. */
interface Progress {
  id: string;
  number: string;
  entries: string;
  total: string;
}

interface AccountPart extends FoundBreaches {
  entries: number;
}

/** Checks the accounts of these merchants, and yields what each statement found. */
export async function* checkAccounts(
  context: CheckContext,
  merchantIds: readonly string[],
  partSize: number,
): AsyncGenerator<AccountPart & { accounts: number }> {
  const reserved = await checkPart<Record<never, never>>(
    context,
    { rows: reservedRows(merchantIds), facts: reservedFacts },
    sql`select 0 as nothing`,
  );
  yield { ...reserved, accounts: 0, entries: 0 };
  const accounts = await rowsOf<{ id: string; entry_count: string }>(context)`
    select id, entry_count from ledger_account where merchant_id = any(${merchantIds}::uuid[]) order by id`;
  for (const group of groupsOf(accounts, partSize)) {
    let open: Progress[] = group.map(({ id }) => ({ id, number: '0', entries: '0', total: '0' }));
    for (let isFirst = true; open.length > 0; isFirst = false) {
      const { answer, ...found } = await checkPart<{ entries: number; open: Progress[] }>(
        context,
        { rows: entryRows(open, partSize), facts: entryFacts(partSize) },
        sql`select (select count(*)::int from entry) as entries, coalesce((${openAccounts(partSize)}), '[]') as open`,
      );
      open = answer.open;
      yield { ...found, accounts: isFirst ? group.length : 0, entries: answer.entries };
    }
  }
}

/** Many small accounts are read by one statement, a large one by several. */
function groupsOf<Account extends { entry_count: string }>(
  accounts: readonly Account[],
  partSize: number,
): Account[][] {
  const groups: Account[][] = [];
  let left = 0;
  for (const account of accounts) {
    const entries = Number(account.entry_count);
    if (groups.length === 0 || entries > left) {
      groups.push([]);
      left = partSize;
    }
    groups.at(-1)?.push(account);
    left -= entries;
  }
  return groups;
}

function reservedRows(merchantIds: readonly string[]): RawBuilder<unknown> {
  const isOfMerchants = sql`merchant_id = any(${merchantIds}::uuid[])`;
  return sql`
    account as materialized (
      select id, merchant_id, mode, currency, kind, balance from ledger_account where ${isOfMerchants}),
    open_transfer as materialized (
      select merchant_id, mode, currency, amount + fee as amount from transfer
      where ${isOfMerchants} and status in ('pending', 'processing')),
    open_refund as materialized (
      select merchant_id, mode, currency, amount from refund
      where ${isOfMerchants} and status in ('pending', 'processing') and is_posted)`;
}

const reservedFacts: readonly Fact[] = [
  {
    invariant: 3,
    says: "A merchant's account is not below zero",
    breaches: sql`
      select 'ledger_account', id, 'at least 0', balance from account where balance < 0 and kind in ${merchantKinds}`,
  },
  {
    invariant: 4,
    says: 'The reserved balance is the sum of the amounts and fees of open transfers',
    breaches: reservedOtherThan('transfer_reserved', sql`open_transfer`),
  },
  {
    invariant: 4,
    says: 'The balance reserved for refunds is the sum of the amounts of open refunds',
    breaches: reservedOtherThan('refund_reserved', sql`open_refund`),
  },
];

function reservedOtherThan(kind: string, open: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    select case when reserved.id is null then 'merchant' else 'ledger_account' end,
      coalesce(reserved.id, merchant_id), coalesce(total, 0), coalesce(balance, 0)
    from (select id, merchant_id, mode, currency, balance from account where kind = ${kind}) as reserved
    full join (
      select merchant_id, mode, currency, sum(amount) as total from ${open} group by merchant_id, mode, currency
    ) as under_way using (merchant_id, mode, currency)
    where coalesce(balance, 0) <> coalesce(total, 0)`;
}

/** The next entries of each account, with the number and the balance that each must have. */
function entryRows(open: readonly Progress[], partSize: number): RawBuilder<unknown> {
  return sql`
    account as materialized (
      select account.*, begun.number as begun_number, begun.entries as begun_entries, begun.total as begun_total
      from json_to_recordset(${JSON.stringify(open)}::json) as begun (id uuid, number bigint, entries bigint, total numeric)
      cross join lateral (
        select id, merchant_id, mode, currency, kind, balance, entry_count from ledger_account
        where ledger_account.id = begun.id offset 0) as account),
    entry as materialized (
      select read.*, account.id as account_id, account.kind, account.merchant_id, account.mode, account.currency,
        begun_entries + row_number() over following as place, begun_total + sum(amount) over following as running
      from account cross join lateral (
        select id, transaction_id, number, amount, balance from ledger_entry
        where account_id = account.id and number > begun_number order by number limit ${partSize}) as read
      window following as (partition by account.id order by number))`;
}

/** The accounts that may have more entries than were read. */
const openAccounts = (partSize: number) => sql`
  select json_agg(json_build_object('id', account_id, 'number', number::text, 'entries', entries::text, 'total', total::text))
  from (
    select account_id, max(number) as number, max(place) as entries,
      (array_agg(running order by number desc))[1] as total
    from entry group by account_id having count(*) = ${partSize}::int
  ) as unfinished`;

const entryFacts = (partSize: number): readonly Fact[] => [
  {
    invariant: 2,
    says: "An account's balance is the sum of its entries",
    breaches: sql`
      select 'ledger_account', account.id, coalesce(total, begun_total) || ' of ' || coalesce(entries, begun_entries) || ' entries',
        balance || ' of ' || entry_count || ' entries'
      from account left join (
        select account_id, count(*) as read, max(place) as entries, (array_agg(running order by number desc))[1] as total
        from entry group by account_id
      ) as counted on account_id = account.id
      where coalesce(read, 0) < ${partSize}::int
        and (balance <> coalesce(total, begun_total) or entry_count <> coalesce(entries, begun_entries))`,
  },
  {
    invariant: 3,
    says: "A merchant's account was never below zero",
    breaches: sql`
      select 'ledger_entry', id, 'at least 0', balance from entry where balance < 0 and kind in ${merchantKinds}`,
  },
  {
    invariant: 7,
    says: 'The transaction and the account of an entry have the same merchant, mode and currency',
    breaches: sql`
      select 'ledger_entry', entry.id, concat_ws(' ', whose.merchant_id, whose.mode, whose.currency),
        concat_ws(' ', entry.merchant_id, entry.mode, entry.currency)
      from entry cross join lateral (
        select merchant_id, mode, currency from ledger_transaction where id = entry.transaction_id offset 0) as whose
      where (whose.merchant_id, whose.mode, whose.currency) <> (entry.merchant_id, entry.mode, entry.currency)`,
  },
  {
    invariant: 10,
    says: 'Entries are numbered without a gap, and each has the balance after it',
    breaches: sql`
      select 'ledger_entry', id, 'number ' || place || ', balance ' || running, 'number ' || number || ', balance ' || balance
      from entry where number <> place or balance <> running`,
  },
];
