import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

interface Costs {
  N: number;
  r: number;
  p: number;
}

const derive = promisify<string, Buffer, number, Costs & { maxmem: number }, Buffer>(scrypt);

/** OWASP's figures for scrypt: 32 MiB and about a tenth of a second for each guess. */
const usualCosts: Costs = { N: 2 ** 15, r: 8, p: 3 };
const keyLength = 32;

/**
 * What is stored of a password: `scrypt$SALT$KEY` with the usual costs, as every version reads it, and `scrypt$N$r$p$SALT$KEY`
 * with others.
 */
export async function hashPassword(password: string, costs = usualCosts): Promise<string> {
  const salt = randomBytes(16);
  const key = await keyOf(password, salt, costs);
  const named = costs === usualCosts ? [] : [costs.N, costs.r, costs.p];
  return ['scrypt', ...named, salt.toString('base64url'), key.toString('base64url')].join('$');
}

/** Takes as long where there is no such user, so that the time says nothing. */
export async function isPassword(password: string, hash: string | undefined): Promise<boolean> {
  const { costs, salt, key } = partsOf(hash ?? nobody);
  const derived = await keyOf(password, Buffer.from(salt, 'base64url'), costs);
  return timingSafeEqual(derived, Buffer.from(key, 'base64url')) && hash !== undefined;
}

const nobody = `scrypt$$${Buffer.alloc(keyLength).toString('base64url')}`;

function partsOf(hash: string): { costs: Costs; salt: string; key: string } {
  const [, ...parts] = hash.split('$');
  const [key = '', salt = '', p, r, N] = parts.reverse();
  return { costs: N === undefined ? usualCosts : { N: Number(N), r: Number(r), p: Number(p) }, salt, key };
}

/** The memory that Node allows is twice what the costs need. */
function keyOf(password: string, salt: Buffer, costs: Costs): Promise<Buffer> {
  return derive(password.normalize('NFKC'), salt, keyLength, { ...costs, maxmem: 256 * costs.N * costs.r });
}
