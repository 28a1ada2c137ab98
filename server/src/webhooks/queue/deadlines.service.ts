/**
 * When an owner advances the time, retries become due earlier. Leases stay: they protect deliveries in flight.
 * See docs/decisions/process.md, "Deadlines move, clocks do not".
 */
import { type RawBuilder, sql } from 'kysely';
import type { Context, EventOwner, WriteContext } from '../../context.ts';
import { changeInBatches, rowsOf, rowsOutsideTransaction, run } from '../../platform/database/statement.ts';

/** An owner has at most sixteen endpoints. Removed endpoints are left out, because no retries wait for them. */
const endpointsOf = ({ merchantId, mode }: EventOwner): RawBuilder<unknown> => sql`any(array(
  select id from webhook_endpoint where merchant_id = ${merchantId} and mode = ${mode} and removed_at is null))`;

/** A dispatcher may lock rows in another order, so waiting for locked rows could cause a deadlock. */
export async function bringRetriesNearer(context: WriteContext, owner: EventOwner, seconds: number): Promise<number> {
  const waiting = await rowsOf<{ id: string }>(context)`
    select delivery_id as id from pending_delivery
    where endpoint_id = ${endpointsOf(owner)} and is_retry = true and due_at > now() and lease is null
    for update skip locked`;
  return changeInBatches(
    waiting,
    (ids) => run(context)`
      update pending_delivery set due_at = greatest(due_at - make_interval(secs => ${seconds}::int), now())
      where delivery_id = any(${ids})`,
  );
}

/** Whether a delivery of the owner is due or being sent. */
export async function hasDueDelivery(context: Context, owner: EventOwner): Promise<boolean> {
  const rows = await rowsOutsideTransaction(context)`
    select from pending_delivery where endpoint_id = ${endpointsOf(owner)} and is_retry in (false, true)
      and due_at <= now() and (lease is not null or held_until is null or held_until <= now()) limit 1`;
  return rows.length > 0;
}
