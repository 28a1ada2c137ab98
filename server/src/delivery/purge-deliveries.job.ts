/**
 * Forgets events and deliveries after `RETENTION_DAYS`. A delivery goes with its attempts once it has ended, and an event once
 * no delivery of it is left, so that what is still owed, or was sent again since, keeps all that it is made of. Ids begin with
 * the time at which they were made: the oldest rows are the first of the primary key, and no other index is needed.
 */
import { type RawBuilder, sql } from 'kysely';
import { type Context, ofItsOwn, type WriteContext } from '../context.ts';
import { inTransaction } from '../database/transaction.ts';
import { firstIdAt } from '../kit/ids.ts';

const dayMs = 86_400_000;
const batch = 5000;

/** One transaction for each batch. Two that run at once skip each other's rows. */
export async function purgeDeliveries(context: Context): Promise<void> {
  const keptSince = new Date(context.clock.now().getTime() - context.config.retentionDays * dayMs);
  await purgeAll(context, oldDeliveries(firstIdAt(keptSince)));
  await purgeAll(context, oldEvents(firstIdAt(keptSince)));
}

async function purgeAll(context: Context, purge: RawBuilder<unknown>): Promise<void> {
  const purgeBatch = async ({ em }: WriteContext) => {
    const { numAffectedRows = 0n } = await purge.execute(em.getKysely());
    return numAffectedRows === BigInt(batch);
  };
  while (await inTransaction(ofItsOwn(context), purgeBatch)) {
    // Until a batch is not full.
  }
}

// Both are written so that every batch goes by the indexes: joined, the whole of each table would be read for each.

const oldDeliveries = (keptFrom: string) => sql`
  with old as materialized (
    select id from delivery where id < ${keptFrom} and status <> 'pending'
    order by id limit ${batch} for update skip locked
  ),
  forgotten as (delete from delivery_attempt where delivery_id = any (array(select id from old)))
  delete from delivery where id = any (array(select id from old))`;

/** A resend locks the old delivery before it makes the new one, so that there is never a moment without either. */
const oldEvents = (keptFrom: string) => sql`
  delete from event where id = any (array(
    select id from event
    where id < ${keptFrom} and (select id from delivery where event_id = event.id limit 1) is null
    order by id limit ${batch} for update skip locked))`;
