import { randomBytes } from 'node:crypto';

/** The base64 text of 24 bytes has 32 characters and no padding. */
export function newSigningSecret(): string {
  return `whsec_${randomBytes(24).toString('base64')}`;
}

export function maskedSecret(last4: string): string {
  return `whsec_••••••••${last4}`;
}
