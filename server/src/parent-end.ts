/**
 * `npm start` runs the server in a shell. A SIGTERM for npm ends npm and that shell and is not passed on. The server
 * would go on running, and npm could not stop it any more. So the server checks that both processes still exist. On
 * Windows a process keeps the id of a parent that has ended, so there the server does not notice the end and goes on
 * running.
 * See docs/decisions/process.md, "The server ends with npm".
 */
import { readFileSync } from 'node:fs';

/** The option that `npm start` sets. Without it the server may outlive its parent, as a daemon does. */
export const isBoundToParent = (args: readonly string[]): boolean => args.includes('--stop-with-parent');

const checkEveryMs = 500;

/**
 * Calls `stop` once when the parent process has ended; or, if the parent is a shell, when the process that started it
 * has ended.
 */
export function onParentEnd(stop: () => void): void {
  const parent = process.ppid;
  const npm = parentOfShell(parent);
  const watch = setInterval(() => {
    if (process.ppid === parent && parentOfShell(parent) === npm) return;
    clearInterval(watch);
    stop();
  }, checkEveryMs);
  watch.unref();
}

/**
 * Returns the id of the process that started a shell; undefined when `pid` is not a shell. If sh is dash, as on Debian,
 * the shell stays between npm and the server, also after a SIGKILL of npm. If sh is bash, the server replaces the
 * shell, and its parent is npm. What started npm is not checked, because npm goes on when that ends. Linux has the id
 * in a file. On macOS the server also replaces the shell.
 */
function parentOfShell(pid: number): string | undefined {
  try {
    const [, name = '', afterName = ''] = /\((.*)\)(.*)/s.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? [];
    return /^\w*sh$/.test(name) ? afterName.trim().split(' ')[1] : undefined;
  } catch {
    return undefined;
  }
}
