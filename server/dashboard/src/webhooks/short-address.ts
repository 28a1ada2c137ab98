/** Enough characters for the host and the path of nearly every endpoint. */
const maxLength = 60;

export function shortAddress(url: string): string {
  const plain = url.replace(/^https:\/\//, '');
  return plain.length > maxLength ? `${plain.slice(0, maxLength - 1)}…` : plain;
}
