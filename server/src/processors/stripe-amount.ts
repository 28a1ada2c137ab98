/**
 * Stripe's units. Ours are the minor units of ISO 4217, and so are Stripe's but for a few currencies: it counts two decimals
 * in some that have none, and of those with three the last must be zero. What cannot be said exactly is refused, never
 * rounded.
 */

/** Have no decimals, and two for Stripe. */
const twoDecimalsThere = new Set(['ISK', 'UGX']);

const threeDecimals = new Set(['BHD', 'JOD', 'KWD', 'OMR', 'TND']);

/** Stripe counts MGA without decimals, and knows nothing of the others. */
const refused = new Set(['MGA', 'IQD', 'LYD', 'CLF', 'UYW', 'UYI']);

const factor = 100n;

export function takesAmount(amount: bigint, currency: string): boolean {
  if (refused.has(currency)) return false;
  return !threeDecimals.has(currency) || amount % 10n === 0n;
}

export function toStripeAmount(amount: bigint, currency: string): bigint {
  return twoDecimalsThere.has(currency) ? amount * factor : amount;
}

/** Of an amount that is no whole one of ours nothing is left over unsaid: it is another amount, so it differs from any. */
export function fromStripeAmount(amount: bigint, currency: string): bigint {
  if (!twoDecimalsThere.has(currency)) return amount;
  return amount % factor === 0n ? amount / factor : -amount;
}
