/**
 * Returns a new reference, such as `payout-2026-11-22-4k1x8d0q2m`. A form keeps its reference until the service has
 * confirmed the request, so that the service refuses a second request even with a different idempotency key.
 */
export function newReference(start: string): string {
  const letters = crypto
    .getRandomValues(new Uint8Array(10))
    .reduce((text, byte) => text + (byte % 36).toString(36), '');
  return `${start}-${new Date().toISOString().slice(0, 10)}-${letters}`;
}
