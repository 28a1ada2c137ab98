/**
 * Keys and sessions that were good when they were last looked up. Where a network has used up its refusals, these still pass,
 * so that a stranger behind the same address stops nobody who calls already.
 */
import { createHash } from 'node:crypto';

/** Some megabyte. The one that was good the longest time ago makes room. */
const most = 10_000;

export interface KnownCredentials {
  has(credential: string): boolean;
  add(credential: string): void;
  remove(credential: string): void;
}

export function createKnownCredentials(): KnownCredentials {
  // By their hashes: a credential is not kept. A set remembers in which order it was filled.
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
