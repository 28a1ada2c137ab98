/**
 * Records that all clients worked: an empty file in the cache folder, named for a hash of the served document (OpenAPI
 * 3.1 and 3.0), the generators with their options, and the programs. When one of them changes, `.ci/run` tries all
 * clients again.
 * See docs/decisions/tests.md, "CI tries clients of other languages when the contract changes".
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readContract } from '@tillhook/openapi';
import { clientGenerators, clientTools } from '@tillhook/openapi/generate/client-generators';
import { servedTexts } from '@tillhook/openapi/generate/served-document';

/** Everything on which the result of a run depends. */
export interface Inputs {
  documents: readonly string[];
  generators: unknown;
  /** The contents of the files in this folder, by their paths. */
  files: Readonly<Record<string, string>>;
}

/** Returns the time at which all clients worked with these inputs; null when no run on this machine has tried them. */
export function triedAt(cache: string, sha256: string): string | null {
  const file = fileOf(cache, sha256);
  if (!existsSync(file)) return null;
  utimesSync(file, new Date(), new Date());
  return readFileSync(file, 'utf8');
}

export function keepTried(cache: string, sha256: string): void {
  mkdirSync(cache, { recursive: true });
  writeFileSync(fileOf(cache, sha256), new Date().toISOString());
}

function fileOf(cache: string, sha256: string): string {
  return join(cache, `tried-${sha256.slice(0, 20)}`);
}

/** Returns the hash of the present inputs. */
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

function ownFiles(): Record<string, string> {
  const paths = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' });
  const texts = paths
    .filter((path) => /\.\w+$/.test(path) && path !== 'README.md')
    .map((path) => [path.replaceAll('\\', '/'), readFileSync(join(import.meta.dirname, path), 'utf8')]);
  return Object.fromEntries(texts);
}
