/**
 * Remembers keys and sessions that were valid when they were last looked up. When a network has used up its limit of
 * refused credentials, the remembered ones still pass. So an attacker behind the same address does not stop the
 * callers that this process knows.
 */
import { hash } from 'node:crypto';

/**
 * This takes about one megabyte. When there are more, the credential that was not used for the longest time is
 * forgotten.
 */
const maxKnown = 10_000;

export interface KnownCredentials {
  has(credential: string): boolean;
  /**
   * An id in place of a remembered credential, because the credential itself may not be stored. Undefined when it is
   * not remembered.
   */
  idOf(credential: string): string | undefined;
  add(credential: string): void;
  remove(credential: string): void;
}

export function createKnownCredentials(): KnownCredentials {
  // The set holds hashes, so that no credential is kept in memory. It keeps its entries in the order in which they were
  // added.
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
