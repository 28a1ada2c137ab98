/**
 * `npm start` runs the server in a shell, and a SIGTERM for npm ends npm and that shell, but is not passed on: the server would
 * go on with nobody to stop it. So the server looks whether both are still there. On Windows a process keeps the number of a
 * parent that has ended, so nothing is ever seen there, and nothing is stopped.
 */
import { readFileSync } from 'node:fs';

/** The option of `npm start`. Started in any other way, the server may outlive its parent, as a daemon does. */
export const isBoundToParent = (args: readonly string[]): boolean => args.includes('--stop-with-parent');

const lookEveryMs = 500;

/** Calls once when the process that started this one has ended, or the one that started that. */
export function onParentEnd(stop: () => void): void {
  const shell = process.ppid;
  const npm = parentOf(shell);
  const watch = setInterval(() => {
    if (process.ppid === shell && parentOf(shell) === npm) return;
    clearInterval(watch);
    stop();
  }, lookEveryMs);
  watch.unref();
}

/**
 * Linux alone says so in a file, and its shell is the one that stays after a SIGKILL of npm. The shell of macOS makes room for
 * the server, whose parent is npm itself.
 */
function parentOf(pid: number): string | undefined {
  try {
    const [, afterName = ''] = /.*\)(.*)/s.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? [];
    return afterName.trim().split(' ')[1];
  } catch {
    return undefined;
  }
}
