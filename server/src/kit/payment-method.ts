import type { Card } from './card.ts';

/** In the order in which the checkout page lists them. */
export const paymentMethodTypes = ['card', 'bank_transfer', 'mobile_money'] as const;

export type PaymentMethodType = (typeof paymentMethodTypes)[number];

/** After the customer has chosen one of these, the payment stays pending until the money comes. */
export type WaitingMethodType = Exclude<PaymentMethodType, 'card'>;

/** `last4` are the last digits of the card, of the account for the transfer, or of the phone. */
export type PaymentMethod = Card & { type: PaymentMethodType; operator?: string };

/** Where the customer sends a bank transfer. */
export interface BankAccount {
  number: string;
  bank: string;
  holder: string;
  reference: string;
  /** An ISO 8601 time. */
  expiresAt: string;
}

export interface MobilePhone {
  /** Digits with the country code. In memory only for the length of one request. */
  number: string;
  operator: string;
}

const operatorNames: Readonly<Record<string, string>> = {
  mpesa: 'M-Pesa',
  airtel: 'Airtel Money',
  mtn: 'MTN MoMo',
  telecel: 'Telecel Cash',
};

export function operatorName(operator: string | undefined): string | undefined {
  return operator && (operatorNames[operator] ?? operator);
}
