/**
 * The status checks of transfers and refunds when time is advanced. Both tables have the same columns for them. A check
 * that comes earlier than planned does no harm, also where it is the end of a lease: the processor gets the same question
 * twice, and the same verdict twice changes nothing.
 * See docs/decisions/process.md, "Deadlines move, clocks do not".
 */
import { sql } from 'kysely';
import type { Context, EventOwner, WriteContext } from '../../context.ts';
import { changeInBatches } from './change-in-batches.ts';
import { rowsOf, rowsOutsideTransaction, run } from './statement.ts';

export interface StatusChecks {
  /** Brings the next checks nearer. Returns how many there were. */
  bringNearer(context: WriteContext, owner: EventOwner, seconds: number): Promise<number>;
  /** Whether a row waits for a worker, or a worker sends one to the processor for the first time. */
  hasDue(context: Context, owner: EventOwner): Promise<boolean>;
}

/** Of all merchants together. If more are due, the call does not wait for all of them. */
const mostRead = 1000;

export function statusChecksOf(name: 'transfer' | 'refund'): StatusChecks {
  const table = sql.table(name);
  return {
    async bringNearer(context, { merchantId, mode }, seconds) {
      const waiting = await rowsOf<{ id: string }>(context)`
        select id from ${table} where merchant_id = ${merchantId} and mode = ${mode} and next_check_at > now() order by id`;
      return changeInBatches(
        waiting,
        (ids) => run(context)`
          update ${table} set next_check_at = greatest(next_check_at - make_interval(secs => ${seconds}::int), now())
          where id = any(${ids}) and next_check_at > now()`,
      );
    },
    async hasDue(context, { merchantId, mode }) {
      // The checks of the next minute, which is the length of a lease, because an index has them in this order.
      const rows = await rowsOutsideTransaction(context)`
        with soon as materialized (
          select merchant_id, mode, status, next_check_at from ${table}
          where next_check_at <= now() + interval '1 minute' order by next_check_at limit ${mostRead}
        )
        select from soon where merchant_id = ${merchantId} and mode = ${mode}
          and (next_check_at <= now() or status = 'pending') limit 1`;
      return rows.length > 0;
    },
  };
}
