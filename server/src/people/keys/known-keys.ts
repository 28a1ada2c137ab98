/**
 * Remembers API keys for a few seconds, so that a call need not look its key up. Only operations that check the key
 * again in the statement that writes may use them, because a remembered key may have been revoked since.
 * See docs/decisions/requests.md, "An operation that inserts one row is one statement".
 */
import type { CallingKey } from './calling-key.ts';

/** The time of the last use is exact to a minute, so a remembered key must be looked up again before that. */
const lifeMs = 5000;
/** About three megabytes. Beyond it, all are forgotten. */
const most = 10_000;

export interface KnownKeys {
  find(hash: Buffer): CallingKey | undefined;
  add(hash: Buffer, key: CallingKey): void;
}

export function createKnownKeys(): KnownKeys {
  const known = new Map<string, { key: CallingKey; untilMs: number }>();
  return {
    find(hash) {
      const found = known.get(hash.toString('base64'));
      return found && performance.now() < found.untilMs ? found.key : undefined;
    },
    add(hash, key) {
      if (known.size >= most) known.clear();
      known.set(hash.toString('base64'), { key, untilMs: performance.now() + lifeMs });
    },
  };
}
