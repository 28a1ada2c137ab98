/**
 * Records that all clients worked, by a hash of the served document (OpenAPI 3.1 and 3.0), the generators with their
 * options, and the programs. `tried.json`, which is committed, has the hash of a run on a developer's machine, so that
 * a CI machine with an empty cache does not repeat the run. A contributor need not commit this file: if the hash is
 * neither in the file nor in the cache folder, `.ci/run` runs all clients.
 * See docs/decisions/tests.md, "CI tries clients of other languages when the contract changes".
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readContract } from '@tillhook/openapi';
import { clientGenerators, clientTools } from '@tillhook/openapi/generate/client-generators';
import { servedTexts } from '@tillhook/openapi/generate/served-document';

/** The inputs on which the result of a run depends. */
export interface Inputs {
  documents: readonly string[];
  generators: unknown;
  /** The contents of the programs, by their names. */
  files: Readonly<Record<string, string>>;
}

const committed = join(import.meta.dirname, 'tried.json');

/**
 * Returns the time of the run in which all clients worked with the inputs of this hash, or null if no such run is
 * known.
 */
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

/** Writes the hash of a run of all clients to the file that is committed. */
export function commitTried(sha256: string): void {
  writeFileSync(committed, `${JSON.stringify({ sha256, at: new Date().toISOString() }, null, 2)}\n`);
}

function fileOf(cache: string, sha256: string): string {
  return join(cache, `tried-${sha256.slice(0, 20)}`);
}

/** Returns the hash of the current inputs. */
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
