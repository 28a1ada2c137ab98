/** Room for the host and the path of nearly every endpoint. */
const longest = 60;

/** The address without what all have in common, and not longer than a table or a list to choose from can show. */
export function shortAddress(url: string): string {
  const plain = url.replace(/^https:\/\//, '');
  return plain.length > longest ? `${plain.slice(0, longest - 1)}…` : plain;
}
