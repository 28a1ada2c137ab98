/** A form keeps its reference until the request has succeeded, so that the service can refuse a duplicate. */
export function newReference(start: string): string {
  const letters = crypto
    .getRandomValues(new Uint8Array(10))
    .reduce((text, byte) => text + (byte % 36).toString(36), '');
  return `${start}-${new Date().toISOString().slice(0, 10)}-${letters}`;
}
