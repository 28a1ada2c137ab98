import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { ReleaseRefused } from './plan.ts';

export const publishedPackages = ['sdk', 'mock'] as const;

export type PublishedPackage = (typeof publishedPackages)[number];

/** Folders besides `mock/` that the build of the mock bundles. */
const bundledInMock = ['developer/src'];

/** Every release changes lines that match this pattern, so they do not count as changes. */
const versionLine = '"version":|"@tillhook/sdk":|^export const version = ';

/** The last release is the commit that last changed `openapi/released/`. */
export async function changedFiles(root: string, folder: PublishedPackage): Promise<string[]> {
  const since = await releaseCommit(root);
  // `--numstat` omits a file when all its changed lines match `-I`; `--name-only` would list the file.
  const folders = folder === 'mock' ? [...bundledInMock, folder] : [folder];
  const args = ['diff', '--numstat', '-I', versionLine, since, '--', ...folders, `:(exclude)${folder}/CHANGELOG.md`];
  return lines(await git(root, args)).map((line) => line.split('\t')[2] ?? line);
}

export async function uncommittedFiles(root: string): Promise<string[]> {
  return lines(await git(root, ['status', '--porcelain', '--untracked-files=all'])).map((line) => line.slice(3));
}

async function releaseCommit(root: string): Promise<string> {
  if ((await git(root, ['rev-parse', '--is-shallow-repository'])).trim() === 'true') {
    throw new ReleaseRefused(
      'this clone is shallow, so the commit of the last release is missing: run `git fetch --unshallow`.',
    );
  }
  if ((await git(root, ['status', '--porcelain', '--', 'openapi/released'])) !== '') {
    throw new ReleaseRefused('openapi/released has changes that are not committed. Commit the last release first.');
  }
  return (await git(root, ['log', '-1', '--format=%H', '--', 'openapi/released/openapi.yaml'])).trim();
}

async function git(root: string, args: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)('git', ['-C', root, ...args], { maxBuffer: 64 * 2 ** 20 });
  return stdout;
}

function lines(text: string): string[] {
  return text.split('\n').filter((line) => line !== '');
}
