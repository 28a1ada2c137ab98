/**
 * Moves the ends of a merchant's rolled keys when time is advanced.
 * See docs/decisions/process.md, "Deadlines move, clocks do not".
 */
import type { EventOwner, WriteContext } from '../../context.ts';
import { run } from '../../platform/database/statement.ts';

/** Brings the ends of rolled keys nearer. Returns how many keys still worked. An end that would lie in the past is now. */
export function bringKeyEndsNearer(
  context: WriteContext,
  { merchantId, mode }: EventOwner,
  seconds: number,
): Promise<number> {
  return run(context)`
    update api_key set expires_at = greatest(expires_at - make_interval(secs => ${seconds}::int), now())
    where merchant_id = ${merchantId} and mode = ${mode} and expires_at > now() and revoked_at is null`;
}
