import { execFileSync } from 'node:child_process';

const figures = ':(top,exclude,glob)server/docs/figures/*.json';

/** Changes of published figures do not count as uncommitted changes. */
export function readRevision(): string | undefined {
  try {
    const isChanged = git('status', '--porcelain', '--', ':/', figures) !== '';
    return git('rev-parse', 'HEAD') + (isChanged ? ' with changes' : '');
  } catch {
    return undefined;
  }
}

function git(...args: string[]): string {
  return execFileSync('git', args, { cwd: import.meta.dirname, encoding: 'utf8', stdio: 'pipe' }).trim();
}
