/**
 * Remembers keys and sessions that were valid when they were last looked up. When a network has used up its limit of
 * refused credentials, the remembered keys and sessions still pass. So an attacker in the same network does not lock
 * out callers that this process knows.
 */
import { hash } from 'node:crypto';

/**
 * The maximum number of remembered credentials, which take about one megabyte. When there are more, the least recently
 * used credential is forgotten.
 */
const maxKnown = 10_000;

export interface KnownCredentials {
  has(credential: string): boolean;
  /**
   * Returns an id for a remembered credential, because the credential itself must not be stored. Returns undefined
   * when the credential is not remembered.
   */
  idOf(credential: string): string | undefined;
  add(credential: string): void;
  remove(credential: string): void;
}

export function createKnownCredentials(): KnownCredentials {
  // The set holds hashes, so that no credential is kept in memory. A set keeps its entries in the order in which they
  // were added.
  const known = new Set<string>();
  return {
    has: (credential) => known.has(hashOf(credential)),
    idOf(credential) {
      const id = credential && hashOf(credential);
      return known.has(id) ? id : undefined;
    },
    add(credential) {
      const latest = hashOf(credential);
      known.delete(latest);
      known.add(latest);
      const [oldest] = known;
      if (known.size > maxKnown && oldest !== undefined) known.delete(oldest);
    },
    remove: (credential) => known.delete(hashOf(credential)),
  };
}

function hashOf(credential: string): string {
  return hash('sha256', credential, 'base64');
}
