/**
 * For what the clients of all generators worked: a hash of the served document, in OpenAPI 3.1 and 3.0, of the generators with
 * their options, and of the programs. `npm run clients` writes it to `tried.json`, and `npm run check:lab` compares it.
 * See docs/decisions/tests.md, "Clients of other languages are tried when the contract changes".
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readContract } from '@tillhook/openapi';
import { clientGenerators, clientTools } from '@tillhook/openapi/generate/client-generators';
import { servedTexts } from '@tillhook/openapi/generate/served-document';

/** What a run depends on. */
export interface Inputs {
  documents: readonly string[];
  generators: unknown;
  /** The files of this folder, by their paths. */
  files: Readonly<Record<string, string>>;
}

const triedPath = join(import.meta.dirname, 'tried.json');

/** Whether all clients worked with what is here now. */
export function isTried(sha256: string): boolean {
  return hashIn(triedPath) === sha256;
}

/** The hash in the file; null when there is none, as in a file that Git left with two versions of it. */
export function hashIn(path: string): string | null {
  try {
    return JSON.parse(readFileSync(path, 'utf8')).sha256;
  } catch {
    return null;
  }
}

export function keepTried(sha256: string, clients: readonly string[]): void {
  writeFileSync(triedPath, `${JSON.stringify({ sha256, clients }, null, 2)}\n`);
}

/** The hash of what is here now. */
export function fingerprint(): string {
  const { json, json30 } = servedTexts(readContract(), 'https://pay.example.com');
  return fingerprintOf({
    documents: [json(), json30()],
    generators: [clientGenerators, clientTools],
    files: ownFiles(),
  });
}

export function fingerprintOf({ documents, generators, files }: Inputs): string {
  return createHash('sha256')
    .update(JSON.stringify([documents, generators, Object.entries(files).sort()]))
    .digest('hex');
}

/** Without the result of the run, and without the README. */
function ownFiles(): Record<string, string> {
  const paths = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' });
  const texts = paths
    .filter((path) => /\.\w+$/.test(path) && !/^(tried\.json|README\.md)$/.test(path))
    .map((path) => [path.replaceAll('\\', '/'), readFileSync(join(import.meta.dirname, path), 'utf8')]);
  return Object.fromEntries(texts);
}
