import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Document } from 'yaml';
import { withDeprecationHeaders } from './deprecation.ts';
import type { Model } from './model.ts';
import { ContractError, lookUp, type Source } from './place.ts';
import { readModel } from './read-model.ts';

export interface Contract extends Source {
  /** The yaml, byte for byte. */
  text: string;
  /**
   * The parsed yaml, with its `$ref`s. It is for libraries that read OpenAPI themselves; all other code reads the
   * model.
   */
  document: object;
  /** Made when it is first read. */
  readonly model: Model;
  /** True when `npm run generate` has checked every schema. */
  isChecked: boolean;
}

/** What `generated/contract.json` holds: the document, and the hash of the yaml that it was read from. */
interface ParsedContract {
  sha256: string;
  document: object;
}

const contractPath = fileURLToPath(new URL('./openapi.yaml', import.meta.url));

/**
 * The contract. A process reads it once, and must not change it. Throws a `ContractError` on broken YAML and on a
 * `$ref` that leads nowhere.
 */
export function readContract(): Contract {
  cached ??= readContractFrom(contractPath);
  return cached;
}

let cached: Contract | undefined;

/** The contract in another file, read again on each call. Throws as `readContract` does. */
export function readContractFrom(file: string): Contract {
  const text = readFileSync(file, 'utf8');
  return readParsed(file, text) ?? parse(file, text);
}

/**
 * The document that `npm run generate` parsed and checked, which saves each process half a second. Undefined when the
 * yaml has changed since then, and when there is no such document, as in a published package.
 * See docs/decisions/contract.md, "The contract is checked before the server listens".
 */
function readParsed(file: string, text: string): Contract | undefined {
  const parsed = parsedPath(file);
  if (!existsSync(parsed)) return undefined;
  const { sha256, document }: ParsedContract = JSON.parse(readFileSync(parsed, 'utf8'));
  if (sha256 !== hashOf(text)) return undefined;
  // Only the message of an error needs a line, so the yaml is parsed only then.
  return withModel({ text, document, isChecked: true, lineOf: (path) => parse(file, text).lineOf(path) });
}

/** What `write-document.ts` writes to `generated/contract.json`. */
export function keepParsed({ text, document }: Contract): ParsedContract {
  return { sha256: hashOf(text), document };
}

/** Parses a file, without `generated/contract.json`. Throws as `readContract` does. */
export function parseContract(file: string): Contract {
  return parse(file, readFileSync(file, 'utf8'));
}

/** The path of `generated/contract.json`, beside the yaml. */
export const parsedPath = (file: string): string => join(dirname(file), 'generated/contract.json');

const hashOf = (text: string) => createHash('sha256').update(text).digest('hex');

const require = createRequire(import.meta.url);

function parse(file: string, text: string): Contract {
  // Loaded only here, because most processes use `generated/contract.json` and never need the parser.
  const { LineCounter, parseDocument }: typeof import('yaml') = require('yaml');
  const lines = new LineCounter();
  const yaml = parseDocument(text, { lineCounter: lines });
  const syntaxError = yaml.errors[0];
  if (syntaxError) throw new ContractError(`${file}:${syntaxError.linePos?.[0].line}: ${syntaxError.message}`);

  const document: object = yaml.toJS();
  const lineOf = (path: readonly (string | number)[]) => lines.linePos(offsetOf(yaml, path)).line;
  for (const { ref, path } of refsIn(document)) {
    if (lookUp(document, ref) === undefined) throw new ContractError(`${file}:${lineOf(path)}: nothing at ${ref}`);
  }
  return withModel({ text, document: withDeprecationHeaders(document), isChecked: false, lineOf });
}

function withModel(contract: Omit<Contract, 'model'>): Contract {
  let model: Model | undefined;
  return {
    ...contract,
    get model() {
      model ??= readModel(contract);
      return model;
    },
  };
}

/** A description without the mark `Choice:`. The mark tells maintainers what we chose where the interface is silent. */
export function unmarked(description: string): string {
  return description.replace(/\bChoice:\s+(\p{Ll}?)/gu, (_mark, first: string) => first.toUpperCase());
}

function offsetOf(yaml: Document, path: readonly (string | number)[]): number {
  for (let length = path.length; length > 0; length--) {
    const node = yaml.getIn(path.slice(0, length), true) as { range?: [number, number, number] } | undefined;
    if (node?.range) return node.range[0];
  }
  return 0;
}

function* refsIn(
  value: unknown,
  path: (string | number)[] = [],
): Generator<{ ref: string; path: (string | number)[] }> {
  if (value === null || typeof value !== 'object') return;
  for (const [key, child] of Object.entries(value)) {
    if (key === '$ref' && typeof child === 'string') yield { ref: child, path: [...path, key] };
    else yield* refsIn(child, [...path, Array.isArray(value) ? Number(key) : key]);
  }
}
