import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Contract } from '../model/read-contract.ts';
import { publishedPackages } from './changed-files.ts';
import { readChangelog } from './changelog.ts';
import { changelogNotes } from './changelog-notes.ts';
import { manifestTexts } from './manifests.ts';
import { packageChangelog } from './package-changelog.ts';

/** The root folder of the repository. */
export const root: string = fileURLToPath(new URL('../../', import.meta.url));

/**
 * Returns the texts that `npm run generate` writes into the packages, by their paths: package.json files, the lock
 * file, changelogs and the image tag.
 */
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

/** The image tag is the version of the contract. */
function kustomizationText(folder: string, version: string): string {
  return readFileSync(join(folder, kustomization), 'utf8').replace(/newTag: .*/, `newTag: ${version}`);
}

/** Returns the paths of the files that are missing or have other contents. */
export function outOfDate(folder: string, texts: Readonly<Record<string, string>>): string[] {
  return Object.entries(texts).flatMap(([path, text]) => {
    const file = join(folder, path);
    return existsSync(file) && readFileSync(file, 'utf8') === text ? [] : [path];
  });
}
