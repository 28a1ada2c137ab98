/** A repeated call with the same `Idempotency-Key` has no second effect, and gets the answer of the first call. */

import { ApiError, type MockAnswer } from '../requests/api-error.ts';
import type { Mode } from '../requests/credentials.ts';
import { createRecentRecords } from './remembered.ts';

export interface KeyedCall {
  mode: Mode;
  key: string;
  fingerprint: string;
}

/** After a failed call, its `Idempotency-Key` can be used again. */
export type RunOnce = (call: KeyedCall, work: () => Promise<MockAnswer>) => Promise<MockAnswer>;

interface Kept {
  key: string;
  fingerprint: string;
  /** The answer of the first call; undefined while the call is still running. */
  answer?: MockAnswer;
}

export function createReplays(): RunOnce {
  const keys = {
    test: createRecentRecords<Kept>(({ key }) => key),
    live: createRecentRecords<Kept>(({ key }) => key),
  };
  return async ({ mode, key, fingerprint }, work) => {
    const earlier = keys[mode].named(key);
    if (earlier) return replayed(earlier, fingerprint);
    const kept: Kept = { key, fingerprint };
    keys[mode].add(kept);
    try {
      const answer = await work();
      // The answer is copied, because the record in the answer may change before the next call.
      kept.answer = structuredClone(answer);
      return answer;
    } finally {
      if (!kept.answer) keys[mode].remove(kept);
    }
  };
}

function replayed({ answer, ...kept }: Kept, fingerprint: string): MockAnswer {
  if (!answer) {
    const message = 'A request with this Idempotency-Key is still in progress';
    throw new ApiError('idempotency_in_progress', message, { headers: { 'Retry-After': '1' } });
  }
  if (kept.fingerprint !== fingerprint)
    throw new ApiError('idempotency_key_reused', 'This Idempotency-Key was used for another request');
  return { ...answer, headers: { ...answer.headers, 'Idempotent-Replayed': 'true' } };
}
