import type { PaymentAttempt } from '@tillhook/sdk/session';

/** Returns null when the attempt was not declined. */
export function reasonOf({ failureCode, failureMessage }: Pick<PaymentAttempt, 'failureCode' | 'failureMessage'>) {
  if (failureMessage === null) return failureCode;
  return failureCode === null ? failureMessage : `${failureMessage} (${failureCode})`;
}

/** Returns null when it is not known whether the customer was asked. */
export function threeDSecureWords({ threeDSecure }: Pick<PaymentAttempt, 'threeDSecure'>): string | null {
  if (threeDSecure === null) return null;
  return threeDSecure ? '3-D Secure was requested' : '3-D Secure was not requested';
}
