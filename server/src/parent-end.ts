/**
 * `npm start` runs the server in a shell. A SIGTERM for npm ends npm and that shell and is not passed on, so that the server
 * would keep running although nobody can stop it with npm any more. The server therefore checks that both are still there. On
 * Windows a process keeps the number of a parent that has ended: there nothing is noticed, and nothing is stopped.
 * See docs/decisions/process.md, "The server ends with npm".
 */
import { readFileSync } from 'node:fs';

/** The option of `npm start`. Started in any other way, the server may outlive its parent, as a daemon does. */
export const isBoundToParent = (args: readonly string[]): boolean => args.includes('--stop-with-parent');

const checkEveryMs = 500;

/** Calls once when the process that started this one has ended; or, where that is a shell, when the one that started it has. */
export function onParentEnd(stop: () => void): void {
  const parent = process.ppid;
  const npm = starterOfShell(parent);
  const watch = setInterval(() => {
    if (process.ppid === parent && starterOfShell(parent) === npm) return;
    clearInterval(watch);
    stop();
  }, checkEveryMs);
  watch.unref();
}

/**
 * The process that started a shell; undefined when `pid` is no shell. Where sh is dash, as on Debian, the shell stays between
 * npm and the server, also after a SIGKILL of npm. Where it is bash, the shell is replaced by the server, whose parent is then
 * npm itself; what started npm may end, and npm goes on. Only Linux tells it in a file; on macOS sh is replaced as well.
 */
function starterOfShell(pid: number): string | undefined {
  try {
    const [, name = '', afterName = ''] = /\((.*)\)(.*)/s.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? [];
    return /^\w*sh$/.test(name) ? afterName.trim().split(' ')[1] : undefined;
  } catch {
    return undefined;
  }
}
