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
 * Compares two contracts by `redocly diff`. It gets copies of them without what changes no byte of a request or an
 * answer. Redocly would call an open answer or the size of an integer a change that breaks clients.
 */
export async function compareContracts(
  before: Contract,
  after: Contract,
  options: readonly string[],
): Promise<{ stdout: string }> {
  // An address that `email` allows is one that `idn-email` allows, but not the other way round. So once the contract before
  // has `idn-email`, the two differ.
  const isWidened = !JSON.stringify(before.document).includes('"idn-email"');
  const folder = mkdtempSync(join(tmpdir(), 'tillhook-contracts-'));
  try {
    const files = Object.entries({ before, after }).map(([name, { document, model }]) => {
      const file = join(folder, `${name}.json`);
      // An address with variables is the same address when their default values are put in.
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

/** The patterns of texts that people write, such as names and notes. */
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
  // Redocly recognises a parameter that has changed by all of its texts, and takes another one for it.
  if (node.in === 'query') left.push('description');
  // Choice: a text of people may lose characters that nothing shows, such as controls. No client means to send them.
  if (shownPatterns.includes(node.pattern)) left.push('pattern');
  if (isWidened && node.format === 'idn-email') return comparable({ ...node, format: 'email' }, isWidened);
  if (isSeveralValues(node)) return comparable({ ...node, ...oneValueOf(node) }, isWidened);
  const kept = Object.entries(node).filter(([key]) => !left.includes(key));
  return Object.fromEntries(kept.map(([key, child]) => [key, comparable(child, isWidened)]));
}

/** A query parameter that may come several times, each time with another value. */
function isSeveralValues({ in: place, schema }: Record<string, unknown>): boolean {
  return place === 'query' && isRecord(schema) && schema.type === 'array';
}

/** One value is sent as before the parameter could come several times, so that change breaks no client. */
function oneValueOf({ schema }: Record<string, unknown>): object {
  return { schema: isRecord(schema) ? schema.items : schema, style: undefined, explode: undefined };
}

/** The number of differences of each weight, as `redocly diff` counts them. */
export interface Differences {
  breaking: number;
  additive: number;
  texts: number;
}

/** Compares the released contract with the present one. Another `info.version` alone is no difference. */
export async function countDifferences(released: Contract, present: Contract): Promise<Differences> {
  const { info } = present.document as { info: object };
  const document = { ...present.document, info: { ...info, version: released.model.version } };
  const revision = { ...present, document, model: present.model };
  const { stdout } = await compareContracts(released, revision, ['--format', 'json', '--fail-on', 'none']);
  const { major, minor, patch }: { major: number; minor: number; patch: number } = JSON.parse(stdout).summary;
  return { breaking: major, additive: minor, texts: patch };
}

/** The weight of the heaviest difference. */
export function heaviest({ breaking, additive, texts }: Differences): ContractDifference {
  if (breaking > 0) return 'breaking';
  if (additive > 0) return 'additive';
  return texts > 0 ? 'texts' : 'none';
}
