import type { Context } from '../../context.ts';
import { type SealedSecrets, sealedSecretsAt } from '../../webhooks/endpoint.entity.ts';
import { readSigningKey, type SigningKey } from './signature.ts';

export interface SigningKeys {
  /** Of the endpoint's own secret, which makes both signatures. */
  own: SigningKey;
  /** Of a staged secret and a replaced one, while they sign `webhook-signature` along with it. */
  others: SigningKey[];
}

const mostKept = 1000;
/** In memory, because opening a secret costs more than signing with it. */
const keptBy = new WeakMap<Context['sealer'], Map<string, { endpointId: string; key: SigningKey }>>();

/** What of a delivery says which secrets sign it. */
interface Signed {
  endpointId: string;
  target: SealedSecrets;
}

/** Opens the secrets that sign a delivery at this time. */
export function signingKeys({ sealer }: Context, { endpointId, target }: Signed, now: Date): SigningKeys {
  const { own, others } = sealedSecretsAt(target, now);
  const open = (sealed: string) => openKey(sealer, endpointId, sealed);
  return { own: open(own), others: others.map(open) };
}

function openKey(sealer: Context['sealer'], endpointId: string, sealed: string): SigningKey {
  const kept = keptBy.get(sealer) ?? new Map<string, { endpointId: string; key: SigningKey }>();
  keptBy.set(sealer, kept);
  const known = kept.get(sealed);
  // What was sealed for another endpoint would not open.
  if (known?.endpointId === endpointId) return known.key;
  const key = readSigningKey(sealer.open(sealed, endpointId));
  if (kept.size >= mostKept) kept.clear();
  kept.set(sealed, { endpointId, key });
  return key;
}
