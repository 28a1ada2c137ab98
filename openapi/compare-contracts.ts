import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { closed } from './closed.ts';
import { isRecord } from './place.ts';
import type { Contract } from './read-contract.ts';

/**
 * Compares two contracts by `redocly diff`. It gets copies of them without what changes no byte of a request or an
 * answer. Redocly would call an open answer or the size of an integer a change that breaks clients.
 */
export async function compareContracts(
  before: Contract,
  after: Contract,
  options: readonly string[],
): Promise<{ stdout: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'tillhook-contracts-'));
  try {
    const files = Object.entries({ before, after }).map(([name, { document, model }]) => {
      const file = join(folder, `${name}.json`);
      // An address with variables is the same address when their default values are put in.
      writeFileSync(file, JSON.stringify(comparable({ ...closed(document), servers: model.servers }), null, 1));
      return file;
    });
    const config = join(import.meta.dirname, 'released/redocly.yaml');
    const args = ['diff', ...files, '--config', config, ...options];
    return await promisify(execFile)('redocly', args, { maxBuffer: 64 * 2 ** 20 });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function comparable(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(comparable);
  if (!isRecord(node)) return node;
  const types = [node.type].flat();
  const left = ['allowReserved', 'uniqueItems', 'discriminator'];
  if (types.includes('integer')) left.push('format');
  if (types.includes('boolean')) left.push('const');
  // Redocly recognises a parameter that has changed by all of its texts, and takes another one for it.
  if (node.in === 'query') left.push('description');
  // Choice: a text of people may lose characters that nothing shows, such as controls. No client means to send them.
  if (typeof node.pattern === 'string' && /^\^\[\^\\u0000[^\]]*\]\*\$$/.test(node.pattern)) left.push('pattern');
  // An address that `email` allows is one that `idn-email` allows.
  if (node.format === 'idn-email') return comparable({ ...node, format: 'email' });
  if (isSeveralValues(node)) return comparable({ ...node, ...oneValueOf(node) });
  const kept = Object.entries(node).filter(([key]) => !left.includes(key));
  return Object.fromEntries(kept.map(([key, child]) => [key, comparable(child)]));
}

/** A query parameter that may come several times, each time with another value. */
function isSeveralValues({ in: place, schema }: Record<string, unknown>): boolean {
  return place === 'query' && isRecord(schema) && schema.type === 'array';
}

/** One value is sent as before the parameter could come several times, so that change breaks no client. */
function oneValueOf({ schema }: Record<string, unknown>): object {
  return { schema: isRecord(schema) ? schema.items : schema, style: undefined, explode: undefined };
}
