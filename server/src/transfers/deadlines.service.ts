/**
 * The status checks of a merchant's transfers when time is advanced. A check that comes earlier than planned does no
 * harm, also where it is the end of a lease: the processor gets the same question twice, and the same verdict twice
 * changes nothing.
 * See docs/decisions/process.md, "Deadlines move, clocks do not".
 */
import type { Context, EventOwner, WriteContext } from '../context.ts';
import { changeInBatches } from '../database/change-in-batches.ts';
import { rowsOf, rowsOutsideTransaction, run } from '../database/statement.ts';

/** Of all merchants together. If more are due, the call does not wait for all of them. */
const mostRead = 1000;

/** Brings the next status checks nearer. Returns how many there were. */
export async function bringTransfersNearer(
  context: WriteContext,
  { merchantId, mode }: EventOwner,
  seconds: number,
): Promise<number> {
  const waiting = await rowsOf<{ id: string }>(context)`
    select id from transfer where merchant_id = ${merchantId} and mode = ${mode} and next_check_at > now() order by id`;
  return changeInBatches(
    waiting,
    (ids) => run(context)`
      update transfer set next_check_at = greatest(next_check_at - make_interval(secs => ${seconds}::int), now())
      where id = any(${ids}) and next_check_at > now()`,
  );
}

/**
 * Whether a transfer waits for a worker, or a worker sends one to the processor for the first time. It reads the checks of
 * the next minute, which is the length of a lease, because an index has them in this order.
 */
export async function hasDueTransfer(context: Context, { merchantId, mode }: EventOwner): Promise<boolean> {
  const rows = await rowsOutsideTransaction(context)`
    with soon as materialized (
      select merchant_id, mode, status, next_check_at from transfer
      where next_check_at <= now() + interval '1 minute' order by next_check_at limit ${mostRead}
    )
    select from soon where merchant_id = ${merchantId} and mode = ${mode}
      and (next_check_at <= now() or status = 'pending') limit 1`;
  return rows.length > 0;
}
