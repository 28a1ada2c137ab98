import type { Context, WithPrincipal } from '../../context.ts';
import type { Role } from '../../kit/permissions.ts';
import type { SigningKeys } from '../../wire/keyring.ts';
import type { WebhookEndpoint } from '../endpoints/endpoint.entity.ts';
import { signingKeysAt } from '../endpoints/signing-keys.ts';

/** Returns null when nothing shows which keys signed an attempt that began at this time. */
export type KeysAt = (startedAt: Date) => SigningKeys | null;

// These roles may reveal the secret too. A signature without a time is as good as the secret for this one body.
const rolesWithSignatures: readonly Role[] = ['administrator', 'developer'];

// See docs/decisions/delivery.md, "Signatures are computed again for people who may see the secret".
export function keysForReader(
  { principal: { actor }, keyring, config }: Context & WithPrincipal,
  endpoint: WebhookEndpoint,
): KeysAt | null {
  if (actor.type !== 'user' || !rolesWithSignatures.includes(actor.role)) return null;
  // An attempt may begin with the secrets of its claim for as long as its lease lasts.
  const knownFromMs = (endpoint.secretsChangedAt?.getTime() ?? -Infinity) + config.delivery.leaseMs;
  return (startedAt) =>
    startedAt.getTime() > knownFromMs ? signingKeysAt(keyring, endpoint.id, endpoint, startedAt) : null;
}
