/**
 * A payment, refund or transfer has the same reference as its events and postings. So one statement that reads a range
 * of references sees all rows that must agree.
 */
import { type RawBuilder, sql } from 'kysely';
import { firstId } from '../../../kit/ids.ts';
import { reportedEvents } from './09-events-match-the-status.ts';
import { type Batch, type Check, checkBatch, type Found } from './check-batch.ts';

/** `after` is the last reference that was checked. */
interface ReferenceOwner {
  merchant_id: string;
  mode: string;
  after: string;
}

const modes = ['live', 'test'];

export function checkRecords(check: Check, merchantIds: readonly string[]): AsyncGenerator<Found> {
  const owners: ReferenceOwner[] = merchantIds.flatMap((id) =>
    modes.map((mode) => ({ merchant_id: id, mode, after: '' })),
  );
  return sliceBySlice(check, owners, (open, slice) => ({
    rows: sql`${ownersWithSlice(open, slice)}, ${recordsOfOwners}, ${entriesOfPostings}`,
    groups: ['postings', 'records'],
    left: sql`select json_agg(json_build_object('merchant_id', merchant_id, 'mode', mode, 'after', up_to))
      from owner where not is_last`,
  }));
}

/** `after` is the last id that was checked. */
interface Unreferenced {
  merchant_id: string;
  after: string;
}

/** Some postings have no reference, such as test money. */
export function checkUnreferenced(check: Check, merchantIds: readonly string[]): AsyncGenerator<Found> {
  const owners: Unreferenced[] = merchantIds.map((id) => ({ merchant_id: id, after: firstId }));
  return sliceBySlice(check, owners, (open, slice) => ({
    rows: sql`${unreferenced(open, slice)}, ${entriesOfPostings}`,
    groups: ['postings'],
    left: sql`select json_agg(open) from (
      select merchant_id, max(id::text) as after from posting group by merchant_id having count(*) = ${slice}::int
    ) as open`,
  }));
}

async function* sliceBySlice<Each>(
  check: Check,
  owners: Each[],
  batchOf: (open: Each[], slice: number) => Omit<Batch, 'answer'> & { left: RawBuilder<unknown> },
): AsyncGenerator<Found> {
  for (let open = owners; open.length > 0; ) {
    // All merchants with unchecked rows share a batch equally, so a large merchant gets more rows when others are done.
    const { left, ...batch } = batchOf(open, Math.ceil(check.batchSize / open.length));
    const counts = sql`select (select count(*)::int from posting) as transactions, coalesce((${left}), '[]') as open`;
    const next = { ...batch, answer: counts };
    const { answer, ...found } = await checkBatch<{ transactions: number; open: Each[] }>(check, next);
    open = answer.open;
    yield { ...found, transactions: answer.transactions };
  }
}

const tables = [sql`payment`, sql`transfer`, sql`refund`, sql`ledger_transaction`, sql`event`];

/** Takes at most about `slice` rows of each table for each merchant, and always all rows of a reference. */
function ownersWithSlice(owners: readonly ReferenceOwner[], slice: number): RawBuilder<unknown> {
  const ofEach = (end: RawBuilder<unknown>) =>
    sql.join(
      tables.map(
        (table) => sql`(select reference from ${table}
          where merchant_id = given.merchant_id and mode = given.mode and reference > given.after ${end})`,
      ),
      sql` union all `,
    );
  return sql`
    owner as materialized (
      select given.*, coalesce(edge.reference, final.reference) as up_to, edge.reference is null as is_last
      from json_to_recordset(${JSON.stringify(owners)}::json) as given (merchant_id uuid, mode text, after text)
      cross join lateral (
        select min(reference) as reference from (${ofEach(sql`order by reference offset ${slice} limit 1`)}) as each
      ) as edge
      cross join lateral (
        select max(reference) as reference from (${ofEach(sql`order by reference desc limit 1`)}) as each
      ) as final)`;
}

/** With `offset 0`, Postgres runs the subquery for each merchant, where only the index on the reference is useful. */
function inSlices(table: string, columns: RawBuilder<unknown>, condition = sql``): RawBuilder<unknown> {
  return sql`
    select record.* from owner cross join lateral (
      select ${columns} from ${sql.table(table)}
      where merchant_id = owner.merchant_id and mode = owner.mode and reference > owner.after
        and reference <= owner.up_to ${condition} offset 0
    ) as record`;
}

const postingColumns = sql.raw('id, merchant_id, mode, currency, kind, source_id, reference');

const recordsOfOwners: RawBuilder<unknown> = sql`
  posting as materialized (${inSlices('ledger_transaction', postingColumns)}),
  paid as materialized (${inSlices(
    'payment',
    sql`id, merchant_id, mode, currency, reference, amount, amount_refunded, status, expiry_reason, completed_at,
      updated_at`,
  )}),
  sent as materialized (${inSlices(
    'transfer',
    sql`id, merchant_id, mode, currency, reference, amount, fee, status, completed_at, updated_at`,
  )}),
  refunded as materialized (${inSlices(
    'refund',
    sql`id, payment_id, merchant_id, mode, currency, reference, amount, status, is_posted, completed_at, updated_at`,
  )}),
  told as materialized (${inSlices(
    'event',
    sql`id, merchant_id, mode, reference, name`,
    sql`and name in (${sql.join(reportedEvents)})`,
  )})`;

/** A posting without entries gives one row, whose `id` is null. */
const entriesOfPostings: RawBuilder<unknown> = sql`
  entry as materialized (
    select posting.id as posting_id, posting.kind, posting.source_id, posting.merchant_id, posting.mode, posting.currency,
      entry.*
    from posting left join lateral (
      select ledger_entry.id, amount, account.kind as account_kind, account.merchant_id as account_merchant,
        account.mode as account_mode, account.currency as account_currency
      from ledger_entry cross join lateral (
        select kind, merchant_id, mode, currency from ledger_account where ledger_account.id = account_id offset 0
      ) as account
      where transaction_id = posting.id offset 0
    ) as entry on true)`;

const unreferenced = (owners: readonly Unreferenced[], slice: number) => sql`
  posting as materialized (
    select record.* from json_to_recordset(${JSON.stringify(owners)}::json) as owner (merchant_id uuid, after uuid)
    cross join lateral (
      select ${postingColumns} from ledger_transaction
      where merchant_id = owner.merchant_id and reference is null and id > owner.after
      order by id limit ${slice}
    ) as record)`;
