import type { PaymentAttempt } from '@tillhook/sdk/session';

const brands: Record<string, string> = { visa: 'Visa', mastercard: 'Mastercard', amex: 'American Express' };

/** A card of a brand that this version of the page does not know is called just a card. */
export function cardWords({ brand, last4 }: NonNullable<PaymentAttempt['card']>): string {
  return `${brands[brand] ?? 'Card'} •••• ${last4}`;
}
