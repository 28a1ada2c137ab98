import { randomBytes } from 'node:crypto';

/** `whsec_` and the base64 of 24 random bytes: 32 characters, no padding. */
export function newSigningSecret(): string {
  return `whsec_${randomBytes(24).toString('base64')}`;
}

/** A secret as it is shown after the registration of its endpoint. */
export function maskedSecret(last4: string): string {
  return `whsec_••••••••${last4}`;
}
