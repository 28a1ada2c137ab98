/** Codes of two-step sign-in by RFC 6238, as every authenticator application makes them: SHA-1, 6 digits, 30 seconds. */
import { Secret, TOTP } from 'otpauth';

const periodSeconds = 30;

/** How many steps the clock of the user's device may be ahead or behind. */
const drift = 1;

/** 160 bits in base32, as people can type them where no QR code can be read. */
export const newTwoStepSecret = (): string => new Secret({ size: 20 }).base32;

/** What the QR code holds. */
export function twoStepUri(secret: string, email: string): string {
  return new TOTP({ issuer: 'Tillhook', label: email, secret }).toString();
}

/** The time step that the code is of, or null when it is of none at this moment. */
export function timeStepOf(code: string, secret: string, now: Date): number | null {
  const delta = new TOTP({ secret, period: periodSeconds }).validate({
    token: code,
    timestamp: now.getTime(),
    window: drift,
  });
  return delta === null ? null : Math.floor(now.getTime() / 1000 / periodSeconds) + delta;
}

/** As it was typed: applications show a space between the digits, and recovery codes have hyphens. */
export const withoutGaps = (typed: string): string => typed.replaceAll(/[\s-]/g, '').toLowerCase();
