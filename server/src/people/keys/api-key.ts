import { hash, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { Mode } from '../../kit/mode.ts';

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const form = /^(sk_(?:test|live)_[0-9A-Za-z]{32})([0-9A-Za-z]{6})$/;

export function newApiKey(mode: Mode): string {
  const random = Array.from({ length: 32 }, () => alphabet[randomInt(alphabet.length)]).join('');
  const body = `sk_${mode}_${random}`;
  return body + checksum(body);
}

/** A string without the form and the checksum of a key is refused without a database query. */
export function looksLikeApiKey(key: string): boolean {
  const [, body, sum] = form.exec(key) ?? [];
  return body !== undefined && checksum(body) === sum;
}

/** A plain SHA-256 is enough, because a key has 190 random bits and cannot be guessed. */
export function hashApiKey(key: string): Buffer {
  return hash('sha256', key, 'buffer');
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
