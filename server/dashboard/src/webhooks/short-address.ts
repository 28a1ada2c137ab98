/** Long enough for the host and the path of nearly every endpoint. */
const longest = 60;

/** The address without its scheme, shortened for tables and lists. */
export function shortAddress(url: string): string {
  const plain = url.replace(/^https:\/\//, '');
  return plain.length > longest ? `${plain.slice(0, longest - 1)}…` : plain;
}
