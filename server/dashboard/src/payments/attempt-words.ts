import type { PaymentAttempt } from '@tillhook/sdk/session';

const declines: Readonly<Record<string, string>> = {
  amount_mismatch: 'Another amount was paid',
  authentication_failed: 'The bank did not confirm the cardholder',
  card_declined: 'The card was declined',
  expired_card: 'The card has expired',
  incorrect_cvc: 'The security code is incorrect',
  insufficient_funds: 'The card has insufficient funds',
  lost_card: 'The card was reported lost',
  mobile_money_declined: 'The payment was declined on the phone',
  mobile_money_insufficient_funds: 'The mobile money account has insufficient funds',
  mobile_money_timeout: 'The payment was not confirmed on the phone in time',
  payment_failed: 'The payment failed',
  processing_error: 'The card could not be processed',
};

/** A payment processor may send other codes, with messages in English. */
export function declineWords(code: string, message: string | null): string {
  return declines[code] ?? message ?? code;
}

/** Returns null when the attempt was not declined. */
export function reasonOf({ failureCode, failureMessage }: Pick<PaymentAttempt, 'failureCode' | 'failureMessage'>) {
  if (failureCode === null) return failureMessage;
  return `${declineWords(failureCode, failureMessage)} (${failureCode})`;
}

/** Returns null when it is not known whether the customer was asked. */
export function threeDSecureWords({ threeDSecure }: Pick<PaymentAttempt, 'threeDSecure'>): string | null {
  if (threeDSecure === null) return null;
  return threeDSecure ? '3-D Secure was requested' : '3-D Secure was not requested';
}
