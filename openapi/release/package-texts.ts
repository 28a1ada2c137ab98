/**
 * The texts depend only on the contract and on the repository URL in the root's package.json.
 * See docs/decisions/sdk.md, "One version for the contract and all packages".
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Contract } from '../model/read-contract.ts';
import { publishedPackages } from './changed-files.ts';
import { readChangelog } from './changelog.ts';
import { changelogNotes } from './changelog-notes.ts';
import { packageChangelog } from './package-changelog.ts';

export const root: string = fileURLToPath(new URL('../../', import.meta.url));

/** Returns texts by path: package.json files, the lock file, changelogs and the Kubernetes manifest. */
export function packageTexts(folder: string, { model }: Contract): Record<string, string> {
  const sources = { versions: readChangelog(), notes: changelogNotes, model };
  const changelogs = publishedPackages.map((name) => [`${name}/CHANGELOG.md`, packageChangelog(name, sources)]);
  return {
    ...manifestTexts(folder, model.version),
    ...Object.fromEntries(changelogs),
    [kustomization]: kustomizationText(folder, model.version),
  };
}

const kustomization = 'ops/kubernetes/kustomization.yaml';

function kustomizationText(folder: string, version: string): string {
  return readFileSync(join(folder, kustomization), 'utf8').replace(/newTag: .*/, `newTag: ${version}`);
}

export function outOfDate(folder: string, texts: Readonly<Record<string, string>>): string[] {
  return Object.entries(texts).flatMap(([path, text]) => {
    const file = join(folder, path);
    return existsSync(file) && readFileSync(file, 'utf8') === text ? [] : [path];
  });
}

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

/** Returns the web URL of the repository that Git clones from `url`. */
export function pagesOf(url: string): string {
  return url.replace(/^git[+]/, '').replace(/[.]git$/, '');
}

export function readManifest(root: string, folder: string): Manifest {
  return JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
}

/** The mock is published together with the SDK, so it depends on exactly this version of the SDK. */
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
 * npm would compare `engines` with its own Node, but all commands run on the Node that `npm ci` installs.
 * See docs/decisions/tests.md, "The lock file does not say on which Node packages run".
 */
function withoutEngines(packages: LockFile['packages']): LockFile['packages'] {
  const entries = Object.entries(packages).map(([path, { engines, ...entry }]) =>
    path.includes('node_modules/') || !engines ? [path, entry] : [path, { ...entry, engines }],
  );
  return Object.fromEntries(entries);
}
