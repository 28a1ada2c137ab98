import { type ContractDocument, unmarked } from '@tillhook/openapi';

/** The contract as it is shown, its descriptions without the marks that are for us. */
export function readerDocument<Node extends ContractDocument>(node: Node): Node {
  if (Array.isArray(node)) return node.map((item) => readerDocument(item)) as unknown as Node;
  if (typeof node !== 'object' || node === null) return node;
  const entries = Object.entries(node).map(([key, value]) => {
    return [key, key === 'description' && typeof value === 'string' ? unmarked(value) : readerDocument(value)];
  });
  return Object.fromEntries(entries);
}
