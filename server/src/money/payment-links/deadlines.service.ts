// See docs/decisions/process.md, "Deadlines move, clocks do not".
import type { EventOwner, WriteContext } from '../../context.ts';
import { run } from '../../platform/database/statement.ts';

export function bringLinkEndsNearer(
  context: WriteContext,
  { merchantId, mode }: EventOwner,
  seconds: number,
): Promise<number> {
  const now = context.clock.now();
  return run(context)`
    update payment_link
    set expires_at = greatest(expires_at - make_interval(secs => ${seconds}::int), ${now}::timestamptz)
    where merchant_id = ${merchantId} and mode = ${mode} and expires_at > ${now}::timestamptz`;
}
