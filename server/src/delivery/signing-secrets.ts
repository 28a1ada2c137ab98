import type { Context } from '../context.ts';
import { sealedSecretsAt } from '../webhooks/endpoint.entity.ts';
import type { Claimed } from './claim.ts';
import { openSecret } from './opened-secret.ts';

/** In the clear. */
export interface SigningSecrets {
  /** The endpoint's own, which makes both signatures. */
  own: string;
  /** A staged one and a replaced one, while they sign `webhook-signature` along with it. */
  others: string[];
}

/** Opens the secrets that sign a delivery at this time. */
export function signingSecrets({ sealer }: Context, delivery: Claimed, now: Date): SigningSecrets {
  const open = (sealed: string) => openSecret(sealer, delivery.endpointId, sealed);
  const { own, others } = sealedSecretsAt(delivery, now);
  return { own: open(own), others: others.map(open) };
}
