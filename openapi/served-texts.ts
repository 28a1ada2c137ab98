import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Contract } from './read-contract.ts';
import { atPublicUrl, documentForOthers } from './served-document.ts';

/** The contract for programs that use the API, as texts. Each text is made when it is called for. */
export interface ServedTexts {
  yaml(): string;
  json(): string;
  /** In OpenAPI 3.0. `npm run generate` has converted it. */
  json30(): string;
}

export function servedTexts({ document }: Contract, publicUrl: string): ServedTexts {
  const served = () => atPublicUrl(documentForOthers(document), publicUrl);
  return {
    yaml: () => asYaml(served()),
    json: () => JSON.stringify(served()),
    json30: () => JSON.stringify(atPublicUrl(JSON.parse(readFileSync(openapi30, 'utf8')), publicUrl)),
  };
}

export function asYaml(document: object): string {
  // Loaded only here, because most processes never need the library.
  const { stringify }: typeof import('yaml') = createRequire(import.meta.url)('yaml');
  return stringify(document, { aliasDuplicateObjects: false, blockQuote: 'literal', lineWidth: 120 });
}

const openapi30 = new URL('./generated/openapi-3.0.json', import.meta.url);
