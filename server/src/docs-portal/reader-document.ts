import { unmarked } from '@tillhook/openapi';

/**
 * The contract for readers: its descriptions without the marks that are only for this repository. Readers see also what is
 * left out of the document for others.
 */
export function readerDocument<Node>(node: Node): Node {
  if (typeof node !== 'object' || node === null) return node;
  if (Array.isArray(node)) return node.map((item) => readerDocument(item)) as Node;
  const shown = Object.entries(node).filter(([key]) => key !== 'x-internal');
  const entries = shown.map(([key, value]) => {
    return [key, key === 'description' && typeof value === 'string' ? unmarked(value) : readerDocument(value)];
  });
  return Object.fromEntries(entries);
}
