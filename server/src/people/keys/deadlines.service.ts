// See docs/decisions/process.md, "Deadlines move, clocks do not".
import type { EventOwner, WriteContext } from '../../context.ts';
import { run } from '../../platform/database/statement.ts';

export function bringKeyEndsNearer(
  context: WriteContext,
  { merchantId, mode }: EventOwner,
  seconds: number,
): Promise<number> {
  return run(context)`
    update api_key set expires_at = greatest(expires_at - make_interval(secs => ${seconds}::int), now())
    where merchant_id = ${merchantId} and mode = ${mode} and expires_at > now() and revoked_at is null`;
}
