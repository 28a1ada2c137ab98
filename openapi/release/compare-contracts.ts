import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { closeSchemas } from '../model/close-schemas.ts';
import { isRecord } from '../model/place.ts';
import type { Contract } from '../model/read-contract.ts';
import type { ContractDifference } from './plan.ts';

/** Redocly would report some harmless differences as breaking, so the compared copies omit them. */
export async function compareContracts(
  before: Contract,
  after: Contract,
  options: readonly string[],
): Promise<{ stdout: string }> {
  // `idn-email` accepts every address that `email` accepts, so a change to `idn-email` breaks no client.
  const isWidened = !JSON.stringify(before.document).includes('"idn-email"');
  const folder = mkdtempSync(join(tmpdir(), 'tillhook-contracts-'));
  try {
    const files = Object.entries({ before, after }).map(([name, { document, model }]) => {
      const file = join(folder, `${name}.json`);
      // A new variable in a server URL does not change the URL, so variables are replaced with their defaults.
      const node = comparable({ ...closeSchemas(document), servers: model.servers }, isWidened);
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
  // Redocly would report a query parameter with a new description as a different parameter.
  if (node.in === 'query') left.push('description');
  // Choice: a pattern may start to forbid control characters in free text, because no client sends them on purpose.
  if (shownPatterns.includes(node.pattern)) left.push('pattern');
  if (isWidened && node.format === 'idn-email') return comparable({ ...node, format: 'email' }, isWidened);
  if (isSeveralValues(node)) return comparable({ ...node, ...oneValueOf(node) }, isWidened);
  const kept = Object.entries(node).filter(([key]) => !left.includes(key));
  return Object.fromEntries(kept.map(([key, child]) => [key, comparable(child, isWidened)]));
}

function isSeveralValues({ in: place, schema }: Record<string, unknown>): boolean {
  return place === 'query' && isRecord(schema) && schema.type === 'array';
}

/** A client may still send a single value, so a parameter that becomes repeatable breaks no client. */
function oneValueOf({ schema }: Record<string, unknown>): object {
  return { schema: isRecord(schema) ? schema.items : schema, style: undefined, explode: undefined };
}

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

export function heaviest({ breaking, additive, texts }: Differences): ContractDifference {
  if (breaking > 0) return 'breaking';
  if (additive > 0) return 'additive';
  return texts > 0 ? 'texts' : 'none';
}
