import { unmarked } from '@tillhook/openapi';

/** The contract for readers: its descriptions without the marks that are only for this repository. */
export function readerDocument<Node>(node: Node): Node {
  if (typeof node !== 'object' || node === null) return node;
  if (Array.isArray(node)) return node.map((item) => readerDocument(item)) as Node;
  const entries = Object.entries(node).map(([key, value]) => {
    return [key, key === 'description' && typeof value === 'string' ? unmarked(value) : readerDocument(value)];
  });
  return Object.fromEntries(entries);
}
