import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Document } from 'yaml';
import { bundle, type YamlFile } from './bundle.ts';
import { withDeprecationHeaders } from './deprecation.ts';
import type { Model } from './model.ts';
import { ContractError, type Source } from './place.ts';
import { readModel } from './read-model.ts';

export interface Contract extends Source {
  /** The yaml of all files, concatenated. */
  text: string;
  /** The bundled document, only for libraries that read OpenAPI themselves; all other code reads `model`. */
  document: object;
  readonly model: Model;
  /** True when `npm run generate` has checked every schema. */
  isChecked: boolean;
}

/** The contents of `generated/contract.json`: the document, and the hash of the yaml files from which it was made. */
interface ParsedContract {
  sha256: string;
  document: object;
}

// True in the published mock, whose yaml is in the same folder as the code.
const isBeside = existsSync(new URL('openapi.yaml', import.meta.url));
const contractPath = fileURLToPath(new URL(isBeside ? 'openapi.yaml' : '../openapi.yaml', import.meta.url));

/** Each process reads the contract once, so callers must not change it. Throws a `ContractError` if it is broken. */
export function readContract(): Contract {
  cached ??= readContractFrom(contractPath);
  return cached;
}

let cached: Contract | undefined;

/** Reads a contract from any `openapi.yaml`, without the cache. */
export function readContractFrom(file: string): Contract {
  const files = filesOf(file);
  return readParsed(file, files) ?? parse(files);
}

function filesOf(file: string): [TextFile, ...TextFile[]] {
  const home = dirname(file);
  const folder = join(home, 'contract');
  const names = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.yaml')) : [];
  const read = (name: string) => ({ name, text: readFileSync(join(home, name), 'utf8') });
  return [read(basename(file)), ...names.toSorted().map((name) => read(`contract/${name}`))];
}

interface TextFile {
  name: string;
  text: string;
}

const textOf = (files: readonly TextFile[]) => files.map(({ text }) => text).join('');

/**
 * Undefined if a yaml file has changed since `npm run generate`, and in published packages, which lack the document.
 * See docs/decisions/contract.md, "The contract is checked before the server listens".
 */
function readParsed(file: string, files: [TextFile, ...TextFile[]]): Contract | undefined {
  const parsed = parsedPath(file);
  if (!existsSync(parsed)) return undefined;
  const text = textOf(files);
  const { sha256, document }: ParsedContract = JSON.parse(readFileSync(parsed, 'utf8'));
  if (sha256 !== hashOf(text)) return undefined;
  // Only error messages need line numbers, so the yaml is parsed only when a line number is needed.
  return withModel({ text, document, isChecked: true, lineOf: (path) => parse(files).lineOf(path) });
}

export function keepParsed({ text, document }: Contract): ParsedContract {
  return { sha256: hashOf(text), document };
}

/** Parses the yaml, without `generated/contract.json`. */
export function parseContract(file: string): Contract {
  return parse(filesOf(file));
}

export const parsedPath = (file: string): string => join(dirname(file), 'generated/contract.json');

const hashOf = (text: string) => createHash('sha256').update(text).digest('hex');

const require = createRequire(import.meta.url);

function parse(files: [TextFile, ...TextFile[]]): Contract {
  const [first, ...others] = files;
  const { document, lineOf } = bundle([parseFile(first), ...others.map(parseFile)]);
  return withModel({ text: textOf(files), document: withDeprecationHeaders(document), isChecked: false, lineOf });
}

function parseFile({ name, text }: TextFile): YamlFile {
  // The import is lazy, because most processes use `generated/contract.json` and need no yaml parser.
  const { LineCounter, parseDocument }: typeof import('yaml') = require('yaml');
  const lines = new LineCounter();
  const yaml = parseDocument(text, { lineCounter: lines });
  const syntaxError = yaml.errors[0];
  if (syntaxError) throw new ContractError(`${name}:${syntaxError.linePos?.[0].line}: ${syntaxError.message}`);
  return { name, value: Object(yaml.toJS()), lineOf: (path) => lines.linePos(offsetOf(yaml, path)).line };
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

/** Removes the mark `Choice:`, with which maintainers mark decisions that the prescribed interface left open. */
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
