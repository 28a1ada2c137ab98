/**
 * Writes the package.json files and the lock file. They get the version of the contract and the address of the
 * repository. Entries of other packages in the lock file lose their `engines`.
 * See docs/decisions/sdk.md, "One version for the contract and all packages".
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { publishedPackages } from './changed-files.ts';

export interface Manifest {
  version: string;
  workspaces?: string[];
  repository?: { type: string; url: string; directory?: string };
  homepage?: string;
  bugs?: { url: string };
  dependencies?: Record<string, string>;
  engines?: Record<string, string>;
  [field: string]: unknown;
}

interface LockFile {
  version: string;
  packages: Record<string, Pick<Manifest, 'version' | 'dependencies' | 'engines'>>;
}

/** Returns the new texts of the package.json files and the lock file, by their paths below `root`. */
export function manifestTexts(root: string, version: string): Record<string, string> {
  const whole = readManifest(root, '');
  const workspaces = whole.workspaces ?? [];
  const own = workspaces.map((folder) => {
    const manifest = withVersion(readManifest(root, folder), version);
    const isPublished = publishedPackages.some((name) => name === folder);
    return [`${folder}/package.json`, isPublished ? withAddress(manifest, whole.repository?.url, folder) : manifest];
  });
  const lock: LockFile = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  const texts = Object.entries({
    'package.json': withVersion(whole, version),
    ...Object.fromEntries(own),
    'package-lock.json': withVersions(lock, ['', ...workspaces], version),
  });
  return Object.fromEntries(texts.map(([path, value]) => [path, `${JSON.stringify(value, null, 2)}\n`]));
}

/** Returns the web address of a repository, from the address that Git clones. */
export function pagesOf(url: string): string {
  return url.replace(/^git[+]/, '').replace(/[.]git$/, '');
}

export function readManifest(root: string, folder: string): Manifest {
  return JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
}

/** The mock is published together with the SDK, so its dependency is the exact version. */
function withVersion<T extends Pick<Manifest, 'version' | 'dependencies'>>(manifest: T, version: string): T {
  const { dependencies } = manifest;
  const used = dependencies?.['@tillhook/sdk'];
  const isExact = used !== undefined && used !== '*';
  return {
    ...manifest,
    version,
    ...(isExact && { dependencies: { ...dependencies, '@tillhook/sdk': version } }),
  };
}

function withAddress(manifest: Manifest, url: string | undefined, directory: string): Manifest {
  if (url === undefined) throw new Error('The package.json of the root has no `repository.url`.');
  const pages = pagesOf(url);
  return {
    ...manifest,
    homepage: `${pages}#readme`,
    bugs: { url: `${pages}/issues` },
    repository: { type: 'git', url, directory },
  };
}

function withVersions(lock: LockFile, folders: readonly string[], version: string): LockFile {
  const own = folders.map((folder) => {
    const entry = lock.packages[folder];
    if (!entry) throw new Error(`package-lock.json has no entry for "${folder}": run \`npm install\`.`);
    return [folder, withVersion(entry, version)];
  });
  return { ...lock, version, packages: { ...withoutEngines(lock.packages), ...Object.fromEntries(own) } };
}

/**
 * npm compares the `engines` in the lock file with the Node that runs npm, and warns of each package that needs a newer
 * Node. But all commands run on the Node that `npm ci` installs.
 * See docs/decisions/tests.md, "The lock file does not say on which Node packages run".
 */
function withoutEngines(packages: LockFile['packages']): LockFile['packages'] {
  const entries = Object.entries(packages).map(([path, { engines, ...entry }]) =>
    path.includes('node_modules/') || !engines ? [path, entry] : [path, { ...entry, engines }],
  );
  return Object.fromEntries(entries);
}
