import { execFileSync } from 'node:child_process';

const figures = ':(top,exclude,glob)server/docs/figures/*.json';

/**
 * Returns the hash of the measured commit, or undefined in a folder without Git. If files have uncommitted changes,
 * `with changes` follows the hash. Changes of published figures are ignored.
 */
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
