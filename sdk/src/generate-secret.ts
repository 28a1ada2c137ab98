/**
 * Generates a webhook signing secret as the server does: `whsec_` and 24 random bytes in base64.
 *
 * @example
 * const secret = generateSecret(); // For a test of your receiver, with `sign` of `@tillhook/sdk/webhooks`.
 */
export function generateSecret(): string {
  return `whsec_${btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(24))))}`;
}
