/**
 * The keys and sessions that were valid at their last look-up. They still pass when their network has used up its limit
 * of refused credentials, so that an attacker does not lock out other callers of the same network.
 */
import { hash } from 'node:crypto';

/** Ten thousand remembered credentials take about one megabyte. */
const maxKnown = 10_000;

export interface KnownCredentials {
  has(credential: string): boolean;
  idOf(credential: string): string | undefined;
  add(credential: string): void;
  remove(credential: string): void;
}

export function createKnownCredentials(): KnownCredentials {
  // The set has hashes, so that no credential is kept in memory. A set keeps the order in which entries were added.
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
