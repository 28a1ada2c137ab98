import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

interface Costs {
  N: number;
  r: number;
  p: number;
}

const derive = promisify<string, Buffer, number, Costs & { maxmem: number }, Buffer>(scrypt);

/** The costs that OWASP recommends for scrypt: each guess takes 32 MiB of memory and about a tenth of a second. */
const usualCosts: Costs = { N: 2 ** 15, r: 8, p: 3 };
const keyLength = 32;

// The form is `scrypt$SALT$KEY` with the usual costs, and `scrypt$N$r$p$SALT$KEY` with other costs. Every version of
// the service can read the first form.
// See docs/decisions/auth.md, "A password's hash names its costs when they are not the usual ones".
export async function hashPassword(password: string, costs = usualCosts): Promise<string> {
  const salt = randomBytes(16);
  const key = await keyOf(password, salt, costs);
  const named = costs === usualCosts ? [] : [costs.N, costs.r, costs.p];
  return ['scrypt', ...named, salt.toString('base64url'), key.toString('base64url')].join('$');
}

/** Without a hash, because the user is unknown or has no password, the check takes just as long and reveals nothing. */
export async function isPassword(password: string, hash: string | null | undefined): Promise<boolean> {
  const { costs, salt, key } = partsOf(hash ?? dummyHash);
  const derived = await keyOf(password, Buffer.from(salt, 'base64url'), costs);
  return timingSafeEqual(derived, Buffer.from(key, 'base64url')) && hash != null;
}

const dummyHash = `scrypt$$${Buffer.alloc(keyLength).toString('base64url')}`;

function partsOf(hash: string): { costs: Costs; salt: string; key: string } {
  const [, ...parts] = hash.split('$');
  const [key = '', salt = '', p, r, N] = parts.reverse();
  return { costs: N === undefined ? usualCosts : { N: Number(N), r: Number(r), p: Number(p) }, salt, key };
}

/** `maxmem` is twice the memory that these costs need. */
function keyOf(password: string, salt: Buffer, costs: Costs): Promise<Buffer> {
  return derive(password.normalize('NFKC'), salt, keyLength, { ...costs, maxmem: 256 * costs.N * costs.r });
}
