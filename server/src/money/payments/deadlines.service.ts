// See docs/decisions/process.md, "Deadlines move, clocks do not".
import type { EventOwner, WriteContext } from '../../context.ts';
import { dayMs } from '../../kit/hours.ts';
import { firstIdAt, skewMs } from '../../kit/ids.ts';
import { changeInBatches, rowsOf, run } from '../../platform/database/statement.ts';

/** The maximum lifetime of a checkout in the contract. Older checkouts have expired and need not be read. */
const maxLifeMs = 7 * dayMs;

/** While the processor has not answered, the time of the next check is the deadline of the call, and is not moved. */
export async function bringCheckoutsNearer(
  context: WriteContext,
  { merchantId, mode }: EventOwner,
  seconds: number,
): Promise<number> {
  const now = context.clock.now();
  const oldest = firstIdAt(new Date(now.getTime() - maxLifeMs - skewMs));
  const open = await rowsOf<{ id: string }>(context)`
    select id from payment
    where merchant_id = ${merchantId} and mode = ${mode} and id >= ${oldest}::uuid
      and status in ('pending', 'processing') and expires_at > ${now}::timestamptz
    order by id`;
  return changeInBatches(open, async (ids) => {
    const moved = await run(context)`
      update payment set expires_at = greatest(expires_at - make_interval(secs => ${seconds}::int), ${now}::timestamptz)
      where id = any(${ids}) and status in ('pending', 'processing') and expires_at > ${now}::timestamptz`;
    await run(context)`
      update payment_attempt set next_check_at = greatest(next_check_at - make_interval(secs => ${seconds}::int), now())
      where payment_id = any(${ids}) and outcome is null and processor_id is not null and next_check_at > now()`;
    return moved;
  });
}
