import { execFileSync } from 'node:child_process';

/** The commit that is measured. Undefined in a folder without Git. */
export function readRevision(): string | undefined {
  try {
    const isChanged = git('status', '--porcelain') !== '';
    return git('rev-parse', 'HEAD') + (isChanged ? ' with changes' : '');
  } catch {
    return undefined;
  }
}

function git(...args: string[]): string {
  return execFileSync('git', args, { cwd: import.meta.dirname, encoding: 'utf8', stdio: 'pipe' }).trim();
}
