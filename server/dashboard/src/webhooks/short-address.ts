/** The maximum number of characters. It is enough for the host and the path of nearly every endpoint. */
const maxLength = 60;

/** Returns the URL without its scheme, shortened for tables and lists. */
export function shortAddress(url: string): string {
  const plain = url.replace(/^https:\/\//, '');
  return plain.length > maxLength ? `${plain.slice(0, maxLength - 1)}…` : plain;
}
