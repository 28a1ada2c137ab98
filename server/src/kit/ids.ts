import { randomInt, randomUUID } from 'node:crypto';
import { v7, validate } from 'uuid';
import type { TimeRange } from './hours.ts';
import { randomBytes } from './random-bytes.ts';

const base32 = '0123456789abcdefghjkmnpqrstvwxyz';

/**
 * The maximum time by which the clock may be set back while new ids still follow the older ids. It is less than
 * `skewMs`.
 */
const maxBackMs = 10_000;
/**
 * The limit of the random number with which the ids of a millisecond begin. The number has 32 bits. Half of its values
 * are reserved for the ids that follow in the same millisecond.
 */
const maxFirstNumber = 2 ** 31;
/** The time and number of the newest id. Ids of the same millisecond are numbered. */
const newest = { msecs: 0, seq: 0 };

/**
 * Returns a UUID v7, which begins with its time: `order by id` orders by creation. The library alone never goes back
 * in time. After a clock that was an hour ahead is corrected, the library would make ids with a wrong time for a whole
 * hour. Lists and counts by time search for ids, so they would miss the rows with these ids.
 */
export function newId(): string {
  const now = Date.now();
  const isBack = now < newest.msecs - maxBackMs;
  if (now > newest.msecs || isBack) Object.assign(newest, { msecs: now, seq: randomInt(maxFirstNumber) });
  else newest.seq += 1;
  return v7(newest);
}

/**
 * Returns an id that is lower than every id made from this time on, and higher than every id made before this time.
 */
export const firstIdAt = (at: Date): string => v7({ msecs: at.getTime(), seq: 0, random: new Uint8Array(16) });

/** An id that is lower than all other ids. */
export const firstId = '00000000-0000-0000-0000-000000000000';

/** Returns the time in an id of ours, in milliseconds. Returns Infinity for an id that is no UUID v7. */
export const timeIn = (id: string): number =>
  id[14] === '7' ? Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16) : Number.POSITIVE_INFINITY;

/** The maximum difference between the time in an id and `created_at`. The clock is read once for each of the two. */
export const skewMs = 60_000;
const lastOfAll = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** Returns the range of ids that contains all rows created from the first time on and before the second time. */
export function idsOf(from: Date | undefined, to: Date | undefined): { firstId: string; lastId: string } {
  const firstId = firstIdAt(new Date(Math.max(0, (from?.getTime() ?? 0) - skewMs)));
  return { firstId, lastId: to ? firstIdAt(new Date(Math.max(0, to.getTime() + skewMs))) : lastOfAll };
}

/**
 * Returns, for each period, the range of ids and of `created_at` that contains its rows, in the format of
 * `json_to_recordset`.
 */
export function boundsOf(times: readonly TimeRange[]) {
  return times.map(({ from, to }) => {
    const { firstId, lastId } = idsOf(from, to);
    return { from_at: from ?? '-infinity', to_at: to ?? 'infinity', first_id: firstId, last_id: lastId };
  });
}

/**
 * Whether the text is an id. It is checked before a query, because Postgres refuses a whole statement with a malformed
 * id.
 */
export const isId = (text: string): boolean => validate(text);

/**
 * Returns a UUID v4, which cannot be guessed. Anyone who knows the access code of a checkout can open the checkout.
 */
export const newAccessCode = (): string => randomUUID();

export const newReference = (): string => `ref_${randomBase32(20)}`;

export const newRequestId = (): string => `req_${randomBase32(20)}`;

/** Returns 100 random bits in four groups, which a person can read aloud. */
export const newPassword = (): string => Array.from({ length: 4 }, () => randomBase32(5)).join('-');

/** Returns 80 random bits in four groups, which a person prints and types. */
export const newRecoveryCode = (): string => Array.from({ length: 4 }, () => randomBase32(4)).join('-');

/** Returns 256 random bits, for a cookie. */
export const newSessionToken = (): string => randomBytes(32).toString('base64url');

/** Returns a random number from 0 to below 1, for jitter. */
export const randomFraction = (): number => randomInt(1_000_000) / 1_000_000;

function randomBase32(length: number): string {
  let text = '';
  for (const byte of randomBytes(length)) text += base32[byte & 31];
  return text;
}
