/**
 * Makes the deadlines of a merchant's secret rotations earlier when the merchant advances test time.
 * See docs/decisions/process.md, "Deadlines move, clocks do not".
 */
import { LockMode } from '@mikro-orm/core';
import type { EventOwner, WriteContext } from '../../context.ts';
import { WebhookEndpoint } from './endpoint.entity.ts';

/**
 * Makes the switch to a staged secret and the end of an old secret earlier, and applies the deadlines that are then
 * due. Returns the number of endpoints that had such a deadline. Rows are locked in the order in which a dispatcher
 * locks them.
 */
export async function bringRotationsNearer(
  context: WriteContext,
  { merchantId, mode }: EventOwner,
  seconds: number,
): Promise<number> {
  const endpoints = await context.em.find(
    WebhookEndpoint,
    { merchantId, mode, removedAt: null },
    { orderBy: { id: 'asc' }, lockMode: LockMode.PESSIMISTIC_WRITE },
  );
  const now = context.clock.now();
  const rotating = endpoints.filter((endpoint) => {
    // Deadlines that have already passed are applied first, so that they are not counted.
    endpoint.completeRotation(now);
    return endpoint.secretRotation;
  });
  for (const endpoint of rotating) endpoint.bringRotationNearer(seconds, now);
  return rotating.length;
}
