/**
 * `tried.json` has the hash of a run on a developer's machine, so that a CI machine with an empty cache does not repeat
 * the run. If neither `tried.json` nor the cache has the current hash, `.ci/run` runs all clients.
 * See docs/decisions/tests.md, "CI tries clients of other languages when the contract changes".
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readContract } from '@tillhook/openapi';
import { clientGenerators, clientTools } from '@tillhook/openapi/generate/client-generators';
import { servedTexts } from '@tillhook/openapi/generate/served-document';

export interface Inputs {
  documents: readonly string[];
  generators: unknown;
  files: Readonly<Record<string, string>>;
}

const committed = join(import.meta.dirname, 'tried.json');

export function triedAt(cache: string, sha256: string): string | null {
  const known = JSON.parse(readFileSync(committed, 'utf8'));
  if (known.sha256 === sha256) return known.at;
  const file = fileOf(cache, sha256);
  if (!existsSync(file)) return null;
  utimesSync(file, new Date(), new Date());
  return readFileSync(file, 'utf8');
}

export function keepTried(cache: string, sha256: string): void {
  mkdirSync(cache, { recursive: true });
  writeFileSync(fileOf(cache, sha256), new Date().toISOString());
}

export function commitTried(sha256: string): void {
  writeFileSync(committed, `${JSON.stringify({ sha256, at: new Date().toISOString() }, null, 2)}\n`);
}

function fileOf(cache: string, sha256: string): string {
  return join(cache, `tried-${sha256.slice(0, 20)}`);
}

export function fingerprint(): string {
  const { json, json30 } = servedTexts(readContract(), 'https://pay.example.com');
  return fingerprintOf({
    documents: [json(), json30()],
    generators: [clientGenerators, clientTools],
    files: programs(),
  });
}

export function fingerprintOf({ documents, generators, files }: Inputs): string {
  return createHash('sha256')
    .update(JSON.stringify([documents, generators, Object.entries(files).sort()]))
    .digest('hex');
}

function programs(): Record<string, string> {
  const folder = join(import.meta.dirname, 'programs');
  return Object.fromEntries(readdirSync(folder).map((path) => [path, readFileSync(join(folder, path), 'utf8')]));
}
