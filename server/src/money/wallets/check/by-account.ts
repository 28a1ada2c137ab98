/**
 * Entries never change and are numbered without gaps. So a large account is read in several batches, and each batch
 * continues with the sum of the batches before.
 */
import { type RawBuilder, sql } from 'kysely';
import { rowsOf } from '../../../platform/database/statement.ts';
import { type Check, checkBatch, type Found } from './check-batch.ts';

export async function* checkAccounts(check: Check, merchantIds: readonly string[]): AsyncGenerator<Found> {
  const { batchSize } = check;
  yield checkBatch(check, { rows: balanceRows(merchantIds), groups: ['balances'] });
  const accounts = await rowsOf<{ id: string; entry_count: string }>(check)`
    select id, entry_count from ledger_account where merchant_id = any(${merchantIds}::uuid[]) order by id`;
  for (const together of inBatches(accounts, batchSize)) {
    let open: Progress[] = together.map(({ id }) => ({ id, number: '0', entries: '0', total: '0' }));
    for (let isFirst = true; open.length > 0; isFirst = false) {
      const { answer, ...found } = await checkBatch<{ entries: number; open: Progress[] }>(check, {
        rows: entryRows(open, batchSize),
        groups: ['entries'],
        answer: sql`select (select count(*)::int from entry) as entries, coalesce((${openAccounts(batchSize)}), '[]') as open`,
      });
      open = answer.open;
      yield { ...found, accounts: isFirst ? together.length : 0, entries: answer.entries };
    }
  }
}

/** How far an account has been checked: the last entry's number, and the count and the sum of the checked entries. */
interface Progress {
  id: string;
  number: string;
  entries: string;
  total: string;
}

function inBatches<Account extends { entry_count: string }>(
  accounts: readonly Account[],
  batchSize: number,
): Account[][] {
  const batches: Account[][] = [];
  let left = 0;
  for (const account of accounts) {
    const entries = Number(account.entry_count);
    if (batches.length === 0 || entries > left) {
      batches.push([]);
      left = batchSize;
    }
    batches.at(-1)?.push(account);
    left -= entries;
  }
  return batches;
}

function balanceRows(merchantIds: readonly string[]): RawBuilder<unknown> {
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

function entryRows(open: readonly Progress[], batchSize: number): RawBuilder<unknown> {
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
        where account_id = account.id and number > begun_number order by number limit ${batchSize}) as read
      window following as (partition by account.id order by number))`;
}

const openAccounts = (batchSize: number) => sql`
  select json_agg(json_build_object('id', account_id, 'number', number::text, 'entries', entries::text, 'total', total::text))
  from (
    select account_id, max(number) as number, max(place) as entries,
      (array_agg(running order by number desc))[1] as total
    from entry group by account_id having count(*) = ${batchSize}::int
  ) as unfinished`;
