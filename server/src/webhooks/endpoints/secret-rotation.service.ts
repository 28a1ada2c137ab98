/**
 * A receiver that knows the old or the new secret can verify every webhook: a staged secret signs together with the
 * current secret, and after the switch the old secret still signs for a day. The row is updated after the deadline, so
 * the clock decides which secrets sign.
 */
import { LockMode, raw } from '@mikro-orm/core';
import type { WithPrincipal, WriteContext } from '../../context.ts';
import { invalid } from '../../kit/errors.ts';
import { WebhookEndpoint } from './endpoint.entity.ts';
import { getLockedEndpoint } from './endpoints.service.ts';
import { newSigningSecret } from './signing-secret.ts';

interface Rotation {
  secret?: string;
  switchAfterSeconds?: number;
}

const defaultSwitchSeconds = 86_400;
const batchSize = 100;

export async function rotateWebhookSecret(
  context: WriteContext & WithPrincipal,
  id: string,
  { secret = newSigningSecret(), switchAfterSeconds = defaultSwitchSeconds }: Rotation,
): Promise<WebhookEndpoint> {
  const endpoint = await getLockedEndpoint(context, id);
  // A call that is repeated after the switch must not rotate again: the old secret would stop signing too early.
  if (secret === context.sealer.open(endpoint.sealedSecret, id)) {
    throw invalid('invalid_parameter', 'secret', 'must differ from the present secret');
  }
  const now = context.clock.now();
  const switchAt = new Date(now.getTime() + switchAfterSeconds * 1000);
  endpoint.stageSecret({ sealed: context.sealer.seal(secret, id), last4: secret.slice(-4) }, switchAt);
  endpoint.completeRotation(now);
  return endpoint;
}

/** If the deadline has already switched the secrets, only `revokeOld` has an effect. */
export async function completeWebhookSecretRotation(
  context: WriteContext & WithPrincipal,
  id: string,
  { revokeOld = false }: { revokeOld?: boolean },
): Promise<WebhookEndpoint> {
  const endpoint = await getLockedEndpoint(context, id);
  endpoint.switchSecret(context.clock.now());
  if (revokeOld) endpoint.revokeOldSecret();
  return endpoint;
}

/** Completes one batch of rotations. Returns true if more rotations may be due. */
export async function completeDueRotations(context: WriteContext): Promise<boolean> {
  const now = context.clock.now();
  // `least` compares the times as texts. The order is right, because `toISOString` wrote all of the texts.
  const firstChange = raw("least(secret_rotation->'next'->>'at', secret_rotation->'previous'->>'until')");
  const due = await context.em.find(
    WebhookEndpoint,
    { [firstChange]: { $lte: now.toISOString() } },
    { limit: batchSize, lockMode: LockMode.PESSIMISTIC_PARTIAL_WRITE },
  );
  for (const endpoint of due) endpoint.completeRotation(now);
  return due.length === batchSize;
}
