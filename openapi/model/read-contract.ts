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
  /** The yaml of all its files, one after the other. */
  text: string;
  /**
   * The parsed yaml as one document, with `$ref`s to its components. It is for libraries that read OpenAPI themselves; all other code reads the
   * model.
   */
  document: object;
  /** Made when it is first read. */
  readonly model: Model;
  /** True when `npm run generate` has checked every schema. */
  isChecked: boolean;
}

/** What `generated/contract.json` holds: the document, and the hash of all yaml that it was read from. */
interface ParsedContract {
  sha256: string;
  document: object;
}

// In the published mock the yaml is beside the code.
const isBeside = existsSync(new URL('openapi.yaml', import.meta.url));
const contractPath = fileURLToPath(new URL(isBeside ? 'openapi.yaml' : '../openapi.yaml', import.meta.url));

/**
 * The contract. A process reads it once, and must not change it. Throws a `ContractError` on broken YAML and on a
 * `$ref` that leads nowhere.
 */
export function readContract(): Contract {
  cached ??= readContractFrom(contractPath);
  return cached;
}

let cached: Contract | undefined;

/** The contract with another list of contents, read again on each call. Throws as `readContract` does. */
export function readContractFrom(file: string): Contract {
  const files = filesOf(file);
  return readParsed(file, files) ?? parse(files);
}

/** The file, which is `openapi.yaml` or a copy of it, and the files of the tags, where it leads to any. */
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
 * The document that `npm run generate` parsed and checked, which saves each process half a second. Undefined when a
 * file has changed since then, and when there is no such document, as in a published package.
 * See docs/decisions/contract.md, "The contract is checked before the server listens".
 */
function readParsed(file: string, files: [TextFile, ...TextFile[]]): Contract | undefined {
  const parsed = parsedPath(file);
  if (!existsSync(parsed)) return undefined;
  const text = textOf(files);
  const { sha256, document }: ParsedContract = JSON.parse(readFileSync(parsed, 'utf8'));
  if (sha256 !== hashOf(text)) return undefined;
  // Only the message of an error needs a line, so the yaml is parsed only then.
  return withModel({ text, document, isChecked: true, lineOf: (path) => parse(files).lineOf(path) });
}

/** What `write-document.ts` writes to `generated/contract.json`. */
export function keepParsed({ text, document }: Contract): ParsedContract {
  return { sha256: hashOf(text), document };
}

/** Parses the contract, without `generated/contract.json`. Throws as `readContract` does. */
export function parseContract(file: string): Contract {
  return parse(filesOf(file));
}

/** The path of `generated/contract.json`, beside the yaml. */
export const parsedPath = (file: string): string => join(dirname(file), 'generated/contract.json');

const hashOf = (text: string) => createHash('sha256').update(text).digest('hex');

const require = createRequire(import.meta.url);

function parse(files: [TextFile, ...TextFile[]]): Contract {
  const [first, ...others] = files;
  const { document, lineOf } = bundle([parseFile(first), ...others.map(parseFile)]);
  return withModel({ text: textOf(files), document: withDeprecationHeaders(document), isChecked: false, lineOf });
}

function parseFile({ name, text }: TextFile): YamlFile {
  // Loaded only here, because most processes use `generated/contract.json` and never need the parser.
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
