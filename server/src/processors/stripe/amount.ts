/** An amount that has no exact equivalent in Stripe's units is refused, never rounded. */

/** Currencies without decimals in ISO 4217, for which Stripe uses two decimals. */
const twoDecimalsAtStripe = new Set(['ISK', 'UGX']);

/** Currencies with three decimals. Stripe requires the third decimal to be zero. */
const threeDecimals = new Set(['BHD', 'JOD', 'KWD', 'OMR', 'TND']);

/** MGA is refused because Stripe uses no decimals for it. Stripe does not support the other currencies in this list. */
const unsupported = new Set(['MGA', 'IQD', 'LYD', 'CLF', 'UYW', 'UYI']);

const factor = 100n;

export function acceptsAmount(amount: bigint, currency: string): boolean {
  if (unsupported.has(currency)) return false;
  return !threeDecimals.has(currency) || amount % 10n === 0n;
}

export function toStripeAmount(amount: bigint, currency: string): bigint {
  return twoDecimalsAtStripe.has(currency) ? amount * factor : amount;
}

/** A fraction of a minor unit makes the amount negative, which matches no payment, so the payment is reviewed. */
export function fromStripeAmount(amount: bigint, currency: string): bigint {
  if (!twoDecimalsAtStripe.has(currency)) return amount;
  return amount % factor === 0n ? amount / factor : -amount;
}
