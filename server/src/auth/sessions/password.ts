import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

const derive = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt);

/** OWASP's figures for scrypt: 32 MiB and about a tenth of a second for each guess. */
const costs = { N: 2 ** 15, r: 8, p: 3, maxmem: 2 ** 26 };
const keyLength = 32;

/** `scrypt$SALT$KEY`: what is stored of a password. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  const key = await derive(password.normalize('NFKC'), salt, keyLength, costs);
  return ['scrypt', salt.toString('base64url'), key.toString('base64url')].join('$');
}

/** Takes as long where there is no such user, so that the time says nothing. */
export async function isPassword(password: string, hash: string | undefined): Promise<boolean> {
  const [, salt = '', key = ''] = (hash ?? nobody).split('$');
  const expected = Buffer.from(key, 'base64url');
  const derived = await derive(password.normalize('NFKC'), Buffer.from(salt, 'base64url'), keyLength, costs);
  return timingSafeEqual(derived, expected) && hash !== undefined;
}

const nobody = `scrypt$$${Buffer.alloc(keyLength).toString('base64url')}`;
