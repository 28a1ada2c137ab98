/**
 * The rotations of a merchant's signing secrets when time is advanced.
 * See docs/decisions/process.md, "Deadlines move, clocks do not".
 */
import { LockMode } from '@mikro-orm/core';
import type { EventOwner, WriteContext } from '../../context.ts';
import { WebhookEndpoint } from './endpoint.entity.ts';

/**
 * Brings the switch to a staged secret nearer, and the end of an old one, and applies what is due then. Returns how many
 * endpoints had either. Rows are locked in the order in which a dispatcher locks them.
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
    // What is behind the clock already is no deadline any more.
    endpoint.settleSecrets(now);
    return endpoint.secretRotation;
  });
  for (const endpoint of rotating) endpoint.bringRotationNearer(seconds, now);
  return rotating.length;
}
