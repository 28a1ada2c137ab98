import type { ContractDocument } from '@tillhook/openapi';

/**
 * The contract as it is shown. In the contract `Choice:` marks, for us, what we chose where the interface is silent; a reader
 * needs the sentence without the mark.
 */
export function readerDocument<Node extends ContractDocument>(node: Node): Node {
  if (Array.isArray(node)) return node.map((item) => readerDocument(item)) as unknown as Node;
  if (typeof node !== 'object' || node === null) return node;
  const entries = Object.entries(node).map(([key, value]) => {
    return [key, key === 'description' && typeof value === 'string' ? unmarked(value) : readerDocument(value)];
  });
  return Object.fromEntries(entries);
}

function unmarked(text: string): string {
  return text.replace(/\bChoice:\s+(\p{Ll}?)/gu, (_mark, first: string) => first.toUpperCase());
}
