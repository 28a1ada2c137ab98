/**
 * Loaded before every long command of npm, by `node --import=./server/src/start/parent-end.ts`. npm runs a command in a shell. A
 * SIGTERM for npm ends npm and that shell and is not passed on. The command would go on running, and npm could not stop
 * it any more. So the command checks that both processes still exist, and stops itself as by SIGTERM. On Windows a
 * process keeps the id of a parent that has ended, so there nothing notices the end.
 * See docs/decisions/process.md, "A command ends with npm".
 */
import { readFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

const checkEveryMs = 500;

if (isMainThread) {
  const line = lineOfParents();
  const watch = setInterval(() => {
    if (lineOfParents().join() === line.join()) return;
    clearInterval(watch);
    // Ends `node --watch`, which would only wait for the next change.
    if (isWatcher(process.ppid)) process.kill(process.ppid);
    // The server listens to this, because a second signal would end it at once.
    if (!process.emit('tillhookParentEnd' as 'beforeExit', 0)) process.kill(process.pid, 'SIGTERM');
  }, checkEveryMs);
  watch.unref();
}

/**
 * Returns the ids of the parents up to npm. If sh is dash, as on Debian, the shell stays between npm and the command,
 * also after a SIGKILL of npm. If sh is bash, the command replaces the shell, and its parent is npm. What started npm
 * is not checked, because npm goes on when that ends. Linux has the ids in files. On macOS the command also replaces
 * the shell.
 */
function lineOfParents(): number[] {
  const line = [process.ppid];
  for (let pid = process.ppid; isShell(pid) || isWatcher(pid); line.push(pid)) pid = parentOf(pid);
  return line;
}

function isShell(pid: number): boolean {
  return /^\w*sh$/.test(/\((.*)\)/s.exec(fileOf(pid, 'stat'))?.[1] ?? '');
}

function isWatcher(pid: number): boolean {
  return fileOf(pid, 'cmdline').split('\0').includes('--watch');
}

function parentOf(pid: number): number {
  return Number(/.*\) \S (\d+)/s.exec(fileOf(pid, 'stat'))?.[1]);
}

function fileOf(pid: number, name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8');
  } catch {
    return '';
  }
}
