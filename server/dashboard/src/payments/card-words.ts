import type { Payment, PaymentAttempt } from '@tillhook/sdk/session';

const brands: Record<string, string> = { visa: 'Visa', mastercard: 'Mastercard', amex: 'American Express' };

const operators: Record<string, string> = {
  mpesa: 'M-Pesa',
  airtel: 'Airtel Money',
  mtn: 'MTN MoMo',
  telecel: 'Telecel Cash',
};

/** A card of a brand that this version of the page does not know is called just a card. */
export function cardWords({ brand, last4 }: NonNullable<PaymentAttempt['card']>): string {
  return `${brands[brand] ?? 'Card'} •••• ${last4}`;
}

export function paymentMethodWords(method: NonNullable<Payment['paymentMethod']>): string {
  const { type, last4, operator = '' } = method;
  if (type === 'bank_transfer') return `Bank transfer •••• ${last4}`;
  return type === 'mobile_money' ? `${operators[operator] ?? 'Mobile money'} •••• ${last4}` : cardWords(method);
}

/** Returns null for a card that the processor has not told yet. */
export function attemptMethodWords({ method, card }: Pick<PaymentAttempt, 'method' | 'card'>): string | null {
  if (method === 'bank_transfer') return 'a bank transfer';
  if (method === 'mobile_money') return 'mobile money';
  return card && cardWords(card);
}
