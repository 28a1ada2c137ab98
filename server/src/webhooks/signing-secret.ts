import { randomBytes } from 'node:crypto';

/** `whsec_` and the base64 of 24 random bytes: 32 characters, no padding. */
export function newSigningSecret(): string {
  return `whsec_${randomBytes(24).toString('base64')}`;
}

/** How a secret is shown after its registration. */
export function maskedSecret(last4: string): string {
  return `whsec_••••••••${last4}`;
}
