/**
 * Makes a webhook signing secret: `whsec_` and the base64 of 24 random bytes, as the server does.
 *
 * @example
 * const secret = generateSecret(); // For a test of your receiver, with `sign` of the webhooks door.
 */
export function generateSecret(): string {
  return `whsec_${btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(24))))}`;
}
