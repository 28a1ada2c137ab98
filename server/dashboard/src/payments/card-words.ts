import type { PaymentAttempt } from '@tillhook/sdk/session';

const brands = { visa: 'Visa', mastercard: 'Mastercard', unknown: 'Card' };

/** "Visa •••• 4242". */
export function cardWords({ brand, last4 }: NonNullable<PaymentAttempt['card']>): string {
  return `${brands[brand]} •••• ${last4}`;
}
