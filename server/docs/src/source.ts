import { atPublicUrl, type Contract, type Model, readModel, unmarked } from '@tillhook/openapi';
import { builtForUrl } from '../../src/pages/docs/service-values.ts';

/** The contract and the URL from which all pages are generated, so that no page repeats a fact by hand. */
export interface Source {
  model: Model;
  publicUrl: string;
}

export function docsSource(contract: Contract): Source {
  const document = atPublicUrl(readerDocument(contract.document), builtForUrl);
  return { model: readModel({ ...contract, document }), publicUrl: builtForUrl };
}

/** Removes from descriptions the markers that only this repository uses. */
export function readerDocument<Node>(node: Node): Node {
  if (typeof node !== 'object' || node === null) return node;
  if (Array.isArray(node)) return node.map((item) => readerDocument(item)) as Node;
  const entries = Object.entries(node).map(([key, value]) => {
    return [key, key === 'description' && typeof value === 'string' ? unmarked(value) : readerDocument(value)];
  });
  return Object.fromEntries(entries);
}
