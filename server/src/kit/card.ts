/** What is known of a card that somebody paid with. */
export interface Card {
  brand: 'visa' | 'mastercard' | 'unknown';
  last4: string;
}

/** Why a card was not charged. */
export interface Decline {
  code: string;
  message: string;
}
