/**
 * A secret is replaced in two steps, so that a receiver that knows one secret never meets a webhook it cannot verify. First
 * the next one is staged: it signs `webhook-signature` along with the present one. Then it becomes the endpoint's, by request
 * or at its deadline, and the old one signs along for a day. Which secrets are in use is read from the clock; rows that
 * lag behind it are written anew by the next change and by `settle-rotations.job.ts`, for tidiness alone.
 */
import { LockMode, raw } from '@mikro-orm/core';
import type { Called, WriteContext } from '../context.ts';
import { invalid } from '../kit/errors.ts';
import { WebhookEndpoint } from './endpoint.entity.ts';
import { newSigningSecret } from './signing-secret.ts';
import { getLockedEndpoint } from './webhooks.service.ts';

interface Rotation {
  /** Generated when left out. */
  secret?: string;
  switchAfterSeconds?: number;
}

const defaultSwitchSeconds = 86_400;
const batchSize = 100;

export async function rotateWebhookSecret(
  context: WriteContext & Called,
  id: string,
  { secret = newSigningSecret(), switchAfterSeconds = defaultSwitchSeconds }: Rotation,
): Promise<WebhookEndpoint> {
  const endpoint = await getLockedEndpoint(context, id);
  // A call that is repeated after its switch would otherwise push out the old secret that still signs along.
  if (secret === context.sealer.open(endpoint.sealedSecret, id)) {
    throw invalid('invalid_parameter', 'secret', 'must be another than the present one');
  }
  const now = context.clock.now();
  const switchAt = new Date(now.getTime() + switchAfterSeconds * 1000);
  endpoint.stageSecret({ sealed: context.sealer.seal(secret, id), last4: secret.slice(-4) }, switchAt);
  endpoint.settleSecrets(now);
  return endpoint;
}

/** With nothing staged it only revokes, if that is wanted: the deadline may have come a moment before the call. */
export async function completeWebhookSecretRotation(
  context: WriteContext & Called,
  id: string,
  { revokeOld = false }: { revokeOld?: boolean },
): Promise<WebhookEndpoint> {
  const endpoint = await getLockedEndpoint(context, id);
  endpoint.switchSecret(context.clock.now());
  if (revokeOld) endpoint.revokeOldSecret();
  return endpoint;
}

/** Writes down the next endpoints whose secrets time has changed. Says whether there may be more. */
export async function settleDueRotations(context: WriteContext): Promise<boolean> {
  const now = context.clock.now();
  // Both are written as `toISOString` does, so that the order of the texts is the order of the times.
  const firstChange = raw("least(secret_rotation->'next'->>'at', secret_rotation->'previous'->>'until')");
  const due = await context.em.find(
    WebhookEndpoint,
    { [firstChange]: { $lte: now.toISOString() } },
    { limit: batchSize, lockMode: LockMode.PESSIMISTIC_PARTIAL_WRITE },
  );
  for (const endpoint of due) endpoint.settleSecrets(now);
  return due.length === batchSize;
}
