import type { Sealer } from '../../kit/seal.ts';
import { readSigningKey, type SigningKey } from './signature.ts';

/** What signs one delivery. */
export interface SigningKeys {
  /** Of the endpoint's own secret, which makes both signatures. */
  own: SigningKey;
  /** Of a staged secret and a replaced one, while they sign `webhook-signature` along with it. */
  others: SigningKey[];
}

/** Opens sealed secrets, and keeps them open in memory, because opening one costs more than signing with it. */
export interface Keyring {
  open(sealed: string, endpointId: string): SigningKey;
}

const mostKept = 1000;

export function createKeyring(sealer: Sealer): Keyring {
  const kept = new Map<string, { endpointId: string; key: SigningKey }>();
  return {
    open(sealed, endpointId) {
      const known = kept.get(sealed);
      // What was sealed for another endpoint would not open.
      if (known?.endpointId === endpointId) return known.key;
      const key = readSigningKey(sealer.open(sealed, endpointId));
      if (kept.size >= mostKept) kept.clear();
      kept.set(sealed, { endpointId, key });
      return key;
    },
  };
}
