/**
 * Keys and sessions that were valid when they were last looked up. When a network has used up its limit of refused ones, these
 * still pass, so that a stranger behind the same address does not stop callers who are known here.
 */
import { createHash } from 'node:crypto';

/** About one megabyte. The one whose last use is the longest ago makes room. */
const most = 10_000;

export interface KnownCredentials {
  has(credential: string): boolean;
  add(credential: string): void;
  remove(credential: string): void;
}

export function createKnownCredentials(): KnownCredentials {
  // Hashes, so that no credential is kept in memory. A set keeps the order in which it was filled.
  const known = new Set<string>();
  return {
    has: (credential) => known.has(hash(credential)),
    add(credential) {
      const latest = hash(credential);
      known.delete(latest);
      known.add(latest);
      const [oldest] = known;
      if (known.size > most && oldest !== undefined) known.delete(oldest);
    },
    remove: (credential) => known.delete(hash(credential)),
  };
}

function hash(credential: string): string {
  return createHash('sha256').update(credential).digest('base64');
}
