import { createHash, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { Mode } from '../../kit/mode.ts';

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const form = /^(sk_(?:test|live)_[0-9A-Za-z]{32})([0-9A-Za-z]{6})$/;

/** `sk_test_` or `sk_live_`, 32 random characters, and 6 that are their checksum. */
export function newApiKey(mode: Mode): string {
  const random = Array.from({ length: 32 }, () => alphabet[randomInt(alphabet.length)]).join('');
  const body = `sk_${mode}_${random}`;
  return body + checksum(body);
}

/** Whether the string can be a key at all: junk is refused without asking the database. */
export function looksLikeApiKey(key: string): boolean {
  const [, body, sum] = form.exec(key) ?? [];
  return body !== undefined && checksum(body) === sum;
}

/** What is stored. A plain SHA-256 is enough for 190 random bits: there is nothing to guess. */
export function hashApiKey(key: string): Buffer {
  return createHash('sha256').update(key).digest();
}

function checksum(body: string): string {
  let rest = crc32(body);
  let sum = '';
  for (let digit = 0; digit < 6; digit++) {
    sum = alphabet[rest % 62] + sum;
    rest = Math.floor(rest / 62);
  }
  return sum;
}
