import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { ReleaseRefused } from './plan.ts';

/** The packages that are published, by the names of their folders. */
export const publishedPackages = ['sdk', 'mock'] as const;

export type PublishedPackage = (typeof publishedPackages)[number];

/** The build of the mock puts the developer's commands into it. */
const bundledInMock = ['developer/src'];

/** Lines that every release writes. They alone are no change of a package. */
const versionLine = '"version":|"@tillhook/sdk":|^export const version = ';

/**
 * Returns the files of a package that differ from those of the last release, which is the commit that last changed the
 * released contract.
 */
export async function changedFiles(root: string, folder: PublishedPackage): Promise<string[]> {
  const since = await releaseCommit(root);
  // `--name-only` would also name files of which only ignored lines have changed.
  const folders = folder === 'mock' ? [...bundledInMock, folder] : [folder];
  const args = ['diff', '--numstat', '-I', versionLine, since, '--', ...folders, `:(exclude)${folder}/CHANGELOG.md`];
  return lines(await git(root, args)).map((line) => line.split('\t')[2] ?? line);
}

/** Returns the files that are not committed, new ones too. */
export async function uncommittedFiles(root: string): Promise<string[]> {
  return lines(await git(root, ['status', '--porcelain', '--untracked-files=all'])).map((line) => line.slice(3));
}

async function releaseCommit(root: string): Promise<string> {
  if ((await git(root, ['rev-parse', '--is-shallow-repository'])).trim() === 'true') {
    throw new ReleaseRefused(
      'this clone has no full history, so no commit of the last release: `git fetch --unshallow`.',
    );
  }
  if ((await git(root, ['status', '--porcelain', '--', 'openapi/released'])) !== '') {
    throw new ReleaseRefused(
      'openapi/released has changes that are not committed: commit the release that wrote them.',
    );
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
