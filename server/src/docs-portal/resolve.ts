import type { ContractDocument } from '@tillhook/openapi';

/** Where a `$ref` leads, with what stands beside it in place of what stands there; anything else as it is. */
export function resolve(document: ContractDocument, node: ContractDocument): ContractDocument {
  const { $ref, ...beside } = node;
  if (typeof $ref !== 'string') return node;
  const target = $ref
    .slice(2)
    .split('/')
    .reduce<ContractDocument>((found, key) => found[key], document);
  return { ...resolve(document, target), ...beside };
}

/** Of a request, a response or a webhook: everything here is JSON. */
export function jsonContent(document: ContractDocument, owner: ContractDocument | undefined): ContractDocument {
  return resolve(document, owner ?? {}).content?.['application/json'] ?? {};
}

/** The named examples of some content, resolved, in their order. */
export function examplesOf(document: ContractDocument, content: ContractDocument): NamedExample[] {
  const examples: ContractDocument = content.examples ?? {};
  return Object.entries(examples).map(([name, example]) => {
    const { summary = name, description = '', value } = resolve(document, example);
    return { name, summary, description, value };
  });
}

export interface NamedExample {
  name: string;
  summary: string;
  description: string;
  value: unknown;
}
