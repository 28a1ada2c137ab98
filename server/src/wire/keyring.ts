import type { Sealer } from '../kit/seal.ts';
import { readSigningKey, type SigningKey } from './signature.ts';

/** The keys that sign one delivery. */
export interface SigningKeys {
  /** The key of the endpoint's present secret. It makes both signatures. */
  own: SigningKey;
  /**
   * The keys of a staged secret and of a replaced one. During a rotation they add signatures to `webhook-signature`.
   */
  others: SigningKey[];
}

/**
 * Decrypts sealed secrets and keeps the keys in memory, because decrypting a secret takes longer than signing with it.
 */
export interface Keyring {
  open(sealed: string, endpointId: string): SigningKey;
}

const mostKept = 1000;

export function createKeyring(sealer: Sealer): Keyring {
  const kept = new Map<string, { endpointId: string; key: SigningKey }>();
  return {
    open(sealed, endpointId) {
      const known = kept.get(sealed);
      // A secret that was sealed for another endpoint must fail to open, as it would without this memory.
      if (known?.endpointId === endpointId) return known.key;
      const key = readSigningKey(sealer.open(sealed, endpointId));
      if (kept.size >= mostKept) kept.clear();
      kept.set(sealed, { endpointId, key });
      return key;
    },
  };
}
