/**
 * The status checks of a merchant's transfers when time is advanced. A check that comes earlier than planned does no
 * harm, also where it is the end of a lease: the processor gets the same question twice, and the same verdict twice
 * changes nothing.
 * See docs/decisions/process.md, "Deadlines move, clocks do not".
 */
import type { Context, EventOwner, WriteContext } from '../context.ts';
import { rowsOutsideTransaction, run } from '../database/statement.ts';

/** Brings the next status checks nearer. Returns how many there were. */
export function bringTransfersNearer(
  context: WriteContext,
  { merchantId, mode }: EventOwner,
  seconds: number,
): Promise<number> {
  return run(context)`
    update transfer set next_check_at = greatest(next_check_at - make_interval(secs => ${seconds}::int), now())
    where merchant_id = ${merchantId} and mode = ${mode} and next_check_at > now()`;
}

/** Whether a transfer waits for a worker, or a worker sends one to the processor for the first time. */
export async function hasDueTransfer(context: Context, { merchantId, mode }: EventOwner): Promise<boolean> {
  const rows = await rowsOutsideTransaction(context)`
    select from transfer where merchant_id = ${merchantId} and mode = ${mode} and next_check_at is not null
      and (next_check_at <= now() or status = 'pending') limit 1`;
  return rows.length > 0;
}
