/** Codes by RFC 6238 with the values that every authenticator application uses: SHA-1, 6 digits, 30 seconds. */
import { Secret, TOTP } from 'otpauth';

const periodSeconds = 30;

/** The maximum number of time steps by which the clock of the user's device may be ahead or behind. */
const drift = 1;

/** The secret is in base32, so that a person can type it when the QR code cannot be scanned. */
export const newTwoStepSecret = (): string => new Secret({ size: 20 }).base32;

export function twoStepUri(secret: string, email: string): string {
  return new TOTP({ issuer: 'Tillhook', label: email, secret }).toString();
}

/** Returns the time step of a code, or null when the code is not valid at this moment. */
export function timeStepOf(code: string, secret: string, now: Date): number | null {
  const delta = new TOTP({ secret, period: periodSeconds }).validate({
    token: code,
    timestamp: now.getTime(),
    window: drift,
  });
  return delta === null ? null : Math.floor(now.getTime() / 1000 / periodSeconds) + delta;
}

/** Removes spaces and hyphens: applications show a space between the digits, and recovery codes have hyphens. */
export const normaliseCode = (typed: string): string => typed.replaceAll(/[\s-]/g, '').toLowerCase();
