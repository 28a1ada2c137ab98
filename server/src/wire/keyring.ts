import type { Sealer } from '../kit/seal.ts';
import { readSigningKey, type SigningKey } from './signature.ts';

export interface SigningKeys {
  own: SigningKey;
  /** During a rotation, `webhook-signature` also has signatures by the keys of staged and replaced secrets. */
  others: SigningKey[];
}

/** Keys are cached, because decrypting a secret takes longer than signing with its key. */
export interface Keyring {
  open(sealed: string, endpointId: string): SigningKey;
}

const maxCached = 1000;

export function createKeyring(sealer: Sealer): Keyring {
  const cache = new Map<string, { endpointId: string; key: SigningKey }>();
  return {
    open(sealed, endpointId) {
      const known = cache.get(sealed);
      // A secret that was sealed for another endpoint must fail to open, even when the cache has it.
      if (known?.endpointId === endpointId) return known.key;
      const key = readSigningKey(sealer.open(sealed, endpointId));
      if (cache.size >= maxCached) cache.clear();
      cache.set(sealed, { endpointId, key });
      return key;
    },
  };
}
