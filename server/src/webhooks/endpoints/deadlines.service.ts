// See docs/decisions/process.md, "Deadlines move, clocks do not".
import { LockMode } from '@mikro-orm/core';
import type { EventOwner, WriteContext } from '../../context.ts';
import { WebhookEndpoint } from './endpoint.entity.ts';

/** Locks rows in the order in which a dispatcher locks them. Returns the number of endpoints with a deadline. */
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
