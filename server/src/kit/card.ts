/** The card of a payment, as far as it is stored. */
export interface Card {
  brand: 'visa' | 'mastercard' | 'amex' | 'unknown';
  last4: string;
}

/** The reason for which a card was not charged. */
export interface Decline {
  code: string;
  message: string;
}
