/**
 * The keys and sessions that were valid at their last look-up. They still pass when their network has used up its limit
 * of refused credentials, so that an attacker does not lock out other callers of the same network.
 */
import { hash } from 'node:crypto';
import type { Request } from 'express';

/** Ten thousand remembered credentials take about one megabyte. */
const maxKnown = 10_000;

declare module 'express-serve-static-core' {
  interface Request {
    hashedCredential?: { credential: string; hash: string };
  }
}

export interface KnownCredentials {
  has(hash: string): boolean;
  add(hash: string): void;
  remove(hash: string): void;
}

export function createKnownCredentials(): KnownCredentials {
  // The set has hashes, so that no credential is kept in memory. A set keeps the order in which entries were added.
  const known = new Set<string>();
  return {
    has: (hash) => known.has(hash),
    add(hash) {
      known.delete(hash);
      known.add(hash);
      const [oldest] = known;
      if (known.size > maxKnown && oldest !== undefined) known.delete(oldest);
    },
    remove: (hash) => known.delete(hash),
  };
}

/** The hash is kept for the request, because several steps of a call need it. */
export function credentialHash(request: Request, credential: string): string {
  const known = request.hashedCredential;
  if (known?.credential === credential) return known.hash;
  request.hashedCredential = { credential, hash: hash('sha256', credential, 'base64') };
  return request.hashedCredential.hash;
}
