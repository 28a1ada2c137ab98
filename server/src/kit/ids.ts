import { randomBytes, randomInt, randomUUID } from 'node:crypto';
import { v7, validate } from 'uuid';
import type { Time } from './hours.ts';

const base32 = '0123456789abcdefghjkmnpqrstvwxyz';

/** A UUID v7: sorts by creation, so that `order by id` is order by time. */
export const newId = (): string => v7();

/** Below every id that is made from this time on, and above those made before it. */
export const firstIdAt = (at: Date): string => v7({ msecs: at.getTime(), seq: 0, random: new Uint8Array(16) });

/** An id and `created_at` are read from the clock one after the other; a minute is far more than lies between the two. */
export const skewMs = 60_000;
const lastOfAll = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** What the ids of all rows lie between that were created from the first moment on, and before the second. */
export function idsOf(from: Date | undefined, to: Date | undefined): { firstId: string; lastId: string } {
  const firstId = firstIdAt(new Date(Math.max(0, (from?.getTime() ?? 0) - skewMs)));
  return { firstId, lastId: to ? firstIdAt(new Date(Math.max(0, to.getTime() + skewMs))) : lastOfAll };
}

/** What the ids and `created_at` of all rows of each time lie between, as rows for a `json_to_recordset`. */
export function boundsOf(times: readonly Time[]) {
  return times.map(({ from, to }) => {
    const { firstId, lastId } = idsOf(from, to);
    return { from_at: from ?? '-infinity', to_at: to ?? 'infinity', first_id: firstId, last_id: lastId };
  });
}

/** Postgres refuses a whole statement over an id that is none. */
export const isId = (text: string): boolean => validate(text);

/** A UUID v4: nothing in it can be guessed, for the address that is its own permission. */
export const newAccessCode = (): string => randomUUID();

export const newReference = (): string => `ref_${randomBase32(20)}`;

export const newRequestId = (): string => `req_${randomBase32(20)}`;

/** 100 bits in four groups that can be read out. */
export const newPassword = (): string => Array.from({ length: 4 }, () => randomBase32(5)).join('-');

/** 80 bits in four groups, to be printed and typed. */
export const newRecoveryCode = (): string => Array.from({ length: 4 }, () => randomBase32(4)).join('-');

/** 256 bits, for a cookie. */
export const newSessionToken = (): string => randomBytes(32).toString('base64url');

/** At least 0 and below 1, for jitter. */
export const randomFraction = (): number => randomInt(1_000_000) / 1_000_000;

function randomBase32(length: number): string {
  let text = '';
  for (const byte of randomBytes(length)) text += base32[byte & 31];
  return text;
}
