import { randomBytes } from 'node:crypto';

/** Generates a secret: `whsec_` and the base64 of 24 random bytes, which has 32 characters and no padding. */
export function newSigningSecret(): string {
  return `whsec_${randomBytes(24).toString('base64')}`;
}

/** Returns the secret as most responses show it. Only the response to the registration shows the whole secret. */
export function maskedSecret(last4: string): string {
  return `whsec_••••••••${last4}`;
}
