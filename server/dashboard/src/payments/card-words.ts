import type { PaymentAttempt } from '@tillhook/sdk/session';

const brands: Record<string, string> = { visa: 'Visa', mastercard: 'Mastercard', amex: 'American Express' };

/** "Visa •••• 4242". A brand that this version of the page does not know is a card like any other. */
export function cardWords({ brand, last4 }: NonNullable<PaymentAttempt['card']>): string {
  return `${brands[brand] ?? 'Card'} •••• ${last4}`;
}
