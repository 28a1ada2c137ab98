/**
 * The part of the ledger check that goes by references. Payments, transfers, refunds, their events and their postings have
 * the same reference, and each of these tables has an index by merchant, mode and reference. So a range of references is
 * all that belongs together, and one statement reads it from one snapshot.
 */
import { type RawBuilder, sql } from 'kysely';
import { firstId } from '../../kit/ids.ts';
import { type CheckContext, checkPart, type FoundBreaches } from './check-part.ts';
import { entriesOfPostings, postingColumns, postingFacts } from './posting-facts.ts';
import { reportedEvents, sourceFacts } from './source-facts.ts';

/** A merchant and mode, of whom everything up to a reference was checked. */
interface Owner {
  merchant_id: string;
  mode: string;
  after: string;
}

interface RecordPart extends FoundBreaches {
  transactions: number;
}

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const modes = ['live', 'test'];

/** Checks everything of these merchants that has a reference, and yields what each statement found. */
export async function* checkRecords(
  context: CheckContext,
  merchantIds: readonly string[],
  partSize: number,
): AsyncGenerator<RecordPart> {
  const { clock, config } = context;
  // One hour less than the retention of events, because the clock
  // that dated them and the one that purges them may differ.
  const eventsKeptSince = new Date(clock.now().getTime() - config.retentionDays * dayMs + hourMs);
  const facts = [...postingFacts, ...sourceFacts(eventsKeptSince)];
  let owners: Owner[] = merchantIds.flatMap((id) => modes.map((mode) => ({ merchant_id: id, mode, after: '' })));
  while (owners.length > 0) {
    // A part with many merchants has less of each. Large merchants stay until the end and get more.
    const slice = Math.ceil(partSize / owners.length);
    const { answer, ...found } = await checkPart<{ transactions: number; open: Owner[] }>(
      context,
      { rows: sql`${ownersWithSlice(owners, slice)}, ${recordsOfOwners}, ${entriesOfPostings}`, facts },
      sql`select (select count(*)::int from posting) as transactions,
        coalesce((select json_agg(json_build_object('merchant_id', merchant_id, 'mode', mode, 'after', up_to))
          from owner where not is_last), '[]') as open`,
    );
    owners = answer.open;
    yield { ...found, transactions: answer.transactions };
  }
}

const tables = [sql`payment`, sql`transfer`, sql`refund`, sql`ledger_transaction`, sql`event`];

/**
 * Each owner with the reference at which the slice ends, so that each table has about `slice` rows in it at most: all rows
 * of one reference stay together. The last slice of an owner ends with the highest reference.
 */
function ownersWithSlice(owners: readonly Owner[], slice: number): RawBuilder<unknown> {
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

/** Rows of a table in the slices of their owners. In a lateral subquery only the index by reference is of use. */
function inSlices(table: string, columns: RawBuilder<unknown>, condition = sql``): RawBuilder<unknown> {
  return sql`
    select record.* from owner cross join lateral (
      select ${columns} from ${sql.table(table)}
      where merchant_id = owner.merchant_id and mode = owner.mode and reference > owner.after
        and reference <= owner.up_to ${condition} offset 0
    ) as record`;
}

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

/** A merchant whose postings without a reference were checked up to an id. */
interface Unreferenced {
  merchant_id: string;
  after: string;
}

/** Checks the postings of these merchants that have no reference, such as test money. */
export async function* checkUnreferenced(
  context: CheckContext,
  merchantIds: readonly string[],
  partSize: number,
): AsyncGenerator<RecordPart> {
  let owners: Unreferenced[] = merchantIds.map((id) => ({ merchant_id: id, after: firstId }));
  while (owners.length > 0) {
    const slice = Math.ceil(partSize / owners.length);
    const { answer, ...found } = await checkPart<{ transactions: number; open: Unreferenced[] }>(
      context,
      { rows: sql`${unreferenced(owners, slice)}, ${entriesOfPostings}`, facts: postingFacts },
      sql`select (select count(*)::int from posting) as transactions,
        coalesce((select json_agg(open) from (
          select merchant_id, max(id::text) as after from posting group by merchant_id having count(*) = ${slice}::int
        ) as open), '[]') as open`,
    );
    owners = answer.open;
    yield { ...found, transactions: answer.transactions };
  }
}

const unreferenced = (owners: readonly Unreferenced[], slice: number) => sql`
  posting as materialized (
    select record.* from json_to_recordset(${JSON.stringify(owners)}::json) as owner (merchant_id uuid, after uuid)
    cross join lateral (
      select ${postingColumns} from ledger_transaction
      where merchant_id = owner.merchant_id and reference is null and id > owner.after
      order by id limit ${slice}
    ) as record)`;
