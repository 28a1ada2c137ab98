/**
 * Replaces a signing secret in two steps, so that a receiver that knows either secret can verify every
 * webhook. First the new secret is staged: it signs `webhook-signature` together with the present one.
 * Then it becomes the endpoint's secret, by request or at its deadline, and the old one still signs for
 * a day. The clock decides which secrets are in use. The next change, or `settle-rotations.job.ts`,
 * brings a row that is behind the clock up to date; no signature depends on that.
 */
import { LockMode, raw } from '@mikro-orm/core';
import type { WithPrincipal, WriteContext } from '../../context.ts';
import { invalid } from '../../kit/errors.ts';
import { WebhookEndpoint } from './endpoint.entity.ts';
import { newSigningSecret } from './signing-secret.ts';
import { getLockedEndpoint } from './webhooks.service.ts';

interface Rotation {
  /** When left out, one is generated. */
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
  // Otherwise a call that is repeated after the switch would end the overlap of the old secret too early.
  if (secret === context.sealer.open(endpoint.sealedSecret, id)) {
    throw invalid('invalid_parameter', 'secret', 'must differ from the present secret');
  }
  const now = context.clock.now();
  const switchAt = new Date(now.getTime() + switchAfterSeconds * 1000);
  endpoint.stageSecret({ sealed: context.sealer.seal(secret, id), last4: secret.slice(-4) }, switchAt);
  endpoint.settleSecrets(now);
  return endpoint;
}

/**
 * When nothing is staged, because the deadline came just before the call, this only revokes the old secret if asked to.
 */
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

/** Updates a batch of endpoints whose stored secrets are behind the clock. True when there may be more. */
export async function settleDueRotations(context: WriteContext): Promise<boolean> {
  const now = context.clock.now();
  // Both texts come from `toISOString`, so they sort in the order of time.
  const firstChange = raw("least(secret_rotation->'next'->>'at', secret_rotation->'previous'->>'until')");
  const due = await context.em.find(
    WebhookEndpoint,
    { [firstChange]: { $lte: now.toISOString() } },
    { limit: batchSize, lockMode: LockMode.PESSIMISTIC_PARTIAL_WRITE },
  );
  for (const endpoint of due) endpoint.settleSecrets(now);
  return due.length === batchSize;
}
