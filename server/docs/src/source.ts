import { atPublicUrl, type Contract, type Model, readModel, unmarked } from '@tillhook/openapi';
import { builtForUrl } from '../../src/pages/docs/service-values.ts';

/** What the pages are made from. No page repeats these facts by hand. */
export interface Source {
  /** The contract for readers. */
  model: Model;
  /** The address at which readers reach the service. */
  publicUrl: string;
}

/** The address is the one for which the documentation is built. */
export function docsSource(contract: Contract): Source {
  const document = atPublicUrl(readerDocument(contract.document), builtForUrl);
  return { model: readModel({ ...contract, document }), publicUrl: builtForUrl };
}

/** The contract for readers: its descriptions without the marks that are only for this repository. */
export function readerDocument<Node>(node: Node): Node {
  if (typeof node !== 'object' || node === null) return node;
  if (Array.isArray(node)) return node.map((item) => readerDocument(item)) as Node;
  const entries = Object.entries(node).map(([key, value]) => {
    return [key, key === 'description' && typeof value === 'string' ? unmarked(value) : readerDocument(value)];
  });
  return Object.fromEntries(entries);
}
