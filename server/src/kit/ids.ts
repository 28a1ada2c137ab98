import { createHash, randomInt, randomUUID } from 'node:crypto';
import { v7, validate } from 'uuid';
import type { TimeRange } from './hours.ts';
import { randomBytes } from './random-bytes.ts';

const base32 = '0123456789abcdefghjkmnpqrstvwxyz';

/** If the clock is set back by less than this, new ids still follow the older ids. Must be less than `skewMs`. */
const maxBackMs = 10_000;
/** The number in an id has 32 bits. Half of its values are reserved for further ids of the same millisecond. */
const maxFirstNumber = 2 ** 31;
const newest = { msecs: 0, seq: 0 };

/**
 * A UUID v7 begins with its time, so ids are in the order of creation. The library alone would never set this time
 * back: after a clock that was an hour ahead is corrected, all ids of the next hour would have a wrong time.
 */
export function newId(): string {
  const now = Date.now();
  const isBack = now < newest.msecs - maxBackMs;
  if (now > newest.msecs || isBack) Object.assign(newest, { msecs: now, seq: randomInt(maxFirstNumber) });
  else newest.seq += 1;
  return v7({ ...newest, random: randomBytes(16) });
}

/** Returns an id that is higher than every id made before this time, and lower than every id made from this time on. */
export const firstIdAt = (at: Date): string => v7({ msecs: at.getTime(), seq: 0, random: new Uint8Array(16) });

export const firstId = '00000000-0000-0000-0000-000000000000';

/** Returns the time in milliseconds, or Infinity for an id that is no UUID v7. */
export const timeIn = (id: string): number =>
  id[14] === '7' ? Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16) : Number.POSITIVE_INFINITY;

/** The time in an id and `created_at` differ at most by this, because the clock is read once for each. */
export const skewMs = 60_000;
const lastOfAll = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

export function idsOf(from: Date | undefined, to: Date | undefined): { firstId: string; lastId: string } {
  const firstId = firstIdAt(new Date(Math.max(0, (from?.getTime() ?? 0) - skewMs)));
  return { firstId, lastId: to ? firstIdAt(new Date(Math.max(0, to.getTime() + skewMs))) : lastOfAll };
}

export function boundsOf(times: readonly TimeRange[]) {
  return times.map(({ from, to }) => {
    const { firstId, lastId } = idsOf(from, to);
    return { from_at: from ?? '-infinity', to_at: to ?? 'infinity', first_id: firstId, last_id: lastId };
  });
}

/** An id is checked before a query, because Postgres refuses a whole statement with a malformed UUID. */
export const isId = (text: string): boolean => validate(text);

/** A UUID v4, because a checkout is open to everyone who knows its access code, so the code must not be guessed. */
export const newAccessCode = (): string => randomUUID();

/** The random slug of a payment link: 100 bits, so that it cannot be guessed. */
export const newSlug = (): string => randomBase32(20);

export const newReference = (): string => `ref_${randomBase32(20)}`;

export const newRequestId = (): string => `req_${randomBase32(20)}`;

/** A password of 100 random bits, which a person can read aloud. */
export const newPassword = (): string => Array.from({ length: 4 }, () => randomBase32(5)).join('-');

export const newRecoveryCode = (): string => Array.from({ length: 4 }, () => randomBase32(4)).join('-');

/** The secret of a cookie or of a link. */
export const newToken = (): string => randomBytes(32).toString('base64url');

/** Only the hash of a token is stored, so a copy of the database opens nothing. */
export const hashToken = (token: string): Buffer => createHash('sha256').update(token).digest();

export const randomFraction = (): number => randomInt(1_000_000) / 1_000_000;

function randomBase32(length: number): string {
  let text = '';
  for (const byte of randomBytes(length)) text += base32[byte & 31];
  return text;
}
