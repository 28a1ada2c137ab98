/**
 * A reference that nothing has yet, such as `payout-2026-11-22-4k1x8d0q2m`. A form keeps it until the service has said that it is
 * done, so that a second one is refused even where the keys of two requests differ.
 */
export function newReference(start: string): string {
  const letters = crypto
    .getRandomValues(new Uint8Array(10))
    .reduce((text, byte) => text + (byte % 36).toString(36), '');
  return `${start}-${new Date().toISOString().slice(0, 10)}-${letters}`;
}
