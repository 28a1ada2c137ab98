/**
 * Converts amounts from our units, the minor units of ISO 4217, to Stripe's units and back. For most currencies the
 * units are the same. Stripe uses two decimals for a few currencies that have no decimals in ISO 4217, and for
 * currencies with three decimals requires the third decimal to be zero. An amount that has no exact equivalent is
 * refused, never rounded.
 */

/** Currencies without decimals in ISO 4217, for which Stripe uses two decimals. */
const twoDecimalsAtStripe = new Set(['ISK', 'UGX']);

const threeDecimals = new Set(['BHD', 'JOD', 'KWD', 'OMR', 'TND']);

/**
 * Currencies that Stripe payments cannot use. Stripe uses no decimals for MGA, and does not support the other
 * currencies.
 */
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
 * Returns an amount in our units. If it is not a whole number of our units, returns a negative amount, which never
 * equals the amount of the payment, so the payment goes to review.
 */
export function fromStripeAmount(amount: bigint, currency: string): bigint {
  if (!twoDecimalsAtStripe.has(currency)) return amount;
  return amount % factor === 0n ? amount / factor : -amount;
}
