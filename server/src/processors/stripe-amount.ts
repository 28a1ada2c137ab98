/**
 * Converts amounts to Stripe's units and back. Ours are the minor units of ISO 4217. Stripe's are the same except for a
 * few currencies: it uses two decimals for some that have none, and requires the last digit of three decimals to be
 * zero. An amount that cannot be converted exactly is refused, never rounded.
 */

/** Currencies without decimals in ISO 4217 and with two at Stripe. */
const twoDecimalsAtStripe = new Set(['ISK', 'UGX']);

const threeDecimals = new Set(['BHD', 'JOD', 'KWD', 'OMR', 'TND']);

/** Stripe counts MGA without decimals, and does not support the others. */
const unsupported = new Set(['MGA', 'IQD', 'LYD', 'CLF', 'UYW', 'UYI']);

const factor = 100n;

export function acceptsAmount(amount: bigint, currency: string): boolean {
  if (unsupported.has(currency)) return false;
  return !threeDecimals.has(currency) || amount % 10n === 0n;
}

export function toStripeAmount(amount: bigint, currency: string): bigint {
  return twoDecimalsAtStripe.has(currency) ? amount * factor : amount;
}

/**
 * An amount that is not a whole number of our units is returned as a negative one. So it never equals a payment's
 * amount, and the payment goes to review.
 */
export function fromStripeAmount(amount: bigint, currency: string): bigint {
  if (!twoDecimalsAtStripe.has(currency)) return amount;
  return amount % factor === 0n ? amount / factor : -amount;
}
