/**
 * A dump that is restored in another cluster contains positions of events that the other cluster has not reached.
 * See docs/decisions/database.md, "Positions of events are shifted in another cluster".
 */
import type { MikroORM } from '@mikro-orm/postgresql';
import type { Logger } from '../../../kit/logger.ts';

/** SQLSTATE: no privilege, no such function, not supported. A hosted Postgres may refuse `pg_control_system`. */
const refusedCodes = ['42501', '42883', '0A000'];

export async function isOrderOfThisCluster(orm: MikroORM, log: Logger): Promise<boolean> {
  try {
    const [row] = await orm.em.fork().execute(`
      with saved as (
        update event_order set cluster_identifier = system_identifier from pg_control_system()
        where cluster_identifier is null
      )
      select coalesce(cluster_identifier = system_identifier, true) as "isSame" from event_order, pg_control_system()`);
    return row?.isSame === true;
  } catch (error) {
    if (!refusedCodes.includes((error as { code?: string }).code ?? '')) throw error;
    log.warn({ err: error }, 'Failed to find out whether the database was restored in another cluster');
    return true;
  }
}

/**
 * The number of an open transaction is not below `pg_snapshot_xmin`, so an event that the transaction inserts later
 * also comes after all existing events.
 */
export async function shiftPositions(orm: MikroORM): Promise<void> {
  await orm.em.fork().execute(`
    do $$
    declare shift bigint;
    begin
      lock table event in access exclusive mode;
      select greatest(0, coalesce(max(feed_position), 0) + 1 - pg_snapshot_xmin(pg_current_snapshot())::text::bigint)
        into shift from event;
      update event_order set position_shift = shift, cluster_identifier = system_identifier from pg_control_system();
      execute format(
        'alter table event alter column feed_position set default (pg_current_xact_id()::text::bigint + %s)', shift);
    end $$`);
}
