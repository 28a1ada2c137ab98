import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { closed } from '../model/closed.ts';
import { isRecord } from '../model/place.ts';
import type { Contract } from '../model/read-contract.ts';
import type { ContractDifference } from './plan.ts';

/**
 * Compares two contracts with `redocly diff`. Some differences change no byte of a request or a response, such as an
 * open schema of a response or the declared size of an integer. Redocly would report these differences as breaking
 * changes, so they are removed from copies of both contracts first.
 */
export async function compareContracts(
  before: Contract,
  after: Contract,
  options: readonly string[],
): Promise<{ stdout: string }> {
  // `idn-email` accepts every address that `email` accepts, so a change from `email` to `idn-email` breaks no client.
  // The opposite change breaks clients.
  const isWidened = !JSON.stringify(before.document).includes('"idn-email"');
  const folder = mkdtempSync(join(tmpdir(), 'tillhook-contracts-'));
  try {
    const files = Object.entries({ before, after }).map(([name, { document, model }]) => {
      const file = join(folder, `${name}.json`);
      // The variables in server URLs are replaced with their defaults, because a change that only adds a variable
      // leaves the URL the same.
      const node = comparable({ ...closed(document), servers: model.servers }, isWidened);
      writeFileSync(file, JSON.stringify(node, null, 1));
      return file;
    });
    const config = join(import.meta.dirname, '../released/redocly.yaml');
    const args = ['diff', ...files, '--config', config, ...options];
    return await promisify(execFile)('redocly', args, { maxBuffer: 64 * 2 ** 20 });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The patterns of free text, such as names and notes. */
const shownPatterns: unknown[] = [
  '^[^\\u0000-\\u0008\\u000b\\u000c\\u000e-\\u001f\\u007f-\\u009f\\u202a-\\u202e\\u2066-\\u2069]*$',
  '^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029\\u202a-\\u202e\\u2066-\\u2069]*$',
  '^[^\\u0000]*$',
];

function comparable(node: unknown, isWidened: boolean): unknown {
  if (Array.isArray(node)) return node.map((each) => comparable(each, isWidened));
  if (!isRecord(node)) return node;
  const types = [node.type].flat();
  const left = ['allowReserved', 'uniqueItems', 'discriminator'];
  if (types.includes('integer')) left.push('format');
  if (types.includes('boolean')) left.push('const');
  // Redocly identifies a parameter by all its texts, so it would treat a parameter with a changed description as two
  // different parameters.
  if (node.in === 'query') left.push('description');
  // Choice: a changed pattern may forbid invisible characters, such as control characters, in free text. No client
  // sends these characters on purpose.
  if (shownPatterns.includes(node.pattern)) left.push('pattern');
  if (isWidened && node.format === 'idn-email') return comparable({ ...node, format: 'email' }, isWidened);
  if (isSeveralValues(node)) return comparable({ ...node, ...oneValueOf(node) }, isWidened);
  const kept = Object.entries(node).filter(([key]) => !left.includes(key));
  return Object.fromEntries(kept.map(([key, child]) => [key, comparable(child, isWidened)]));
}

/** True for a query parameter that a client can repeat to send several values. */
function isSeveralValues({ in: place, schema }: Record<string, unknown>): boolean {
  return place === 'query' && isRecord(schema) && schema.type === 'array';
}

/**
 * Returns the parameter with the schema of a single value. A client may still send a single value, so a parameter that
 * becomes repeatable breaks no client.
 */
function oneValueOf({ schema }: Record<string, unknown>): object {
  return { schema: isRecord(schema) ? schema.items : schema, style: undefined, explode: undefined };
}

/** The numbers of breaking changes, additions and text changes that `redocly diff` reports. */
export interface Differences {
  breaking: number;
  additive: number;
  texts: number;
}

/** Compares the released contract with the present contract, and ignores `info.version`. */
export async function countDifferences(released: Contract, present: Contract): Promise<Differences> {
  const { info } = present.document as { info: object };
  const document = { ...present.document, info: { ...info, version: released.model.version } };
  const revision = { ...present, document, model: present.model };
  const { stdout } = await compareContracts(released, revision, ['--format', 'json', '--fail-on', 'none']);
  const { major, minor, patch }: { major: number; minor: number; patch: number } = JSON.parse(stdout).summary;
  return { breaking: major, additive: minor, texts: patch };
}

/** Returns the difference that needs the largest version step. */
export function heaviest({ breaking, additive, texts }: Differences): ContractDifference {
  if (breaking > 0) return 'breaking';
  if (additive > 0) return 'additive';
  return texts > 0 ? 'texts' : 'none';
}
