/**
 * Loaded before every long command of npm, by `node --import=./server/src/start/parent-end.ts`. npm runs a command in
 * a shell. A SIGTERM for npm ends npm and that shell, but does not reach the command. The command would keep running,
 * and npm could no longer stop it. So the command checks that npm and the shell still exist, and otherwise stops
 * itself as by SIGTERM. On Windows, a process keeps the id of a parent that has ended, so the command does not notice
 * the end there.
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
    // Ends `node --watch`, which would otherwise only wait for the next change of a file.
    if (isWatcher(process.ppid)) process.kill(process.ppid);
    // The server shuts down on this event. A SIGTERM might be its second signal, which would end the server at once.
    if (!process.emit('tillhookParentEnd' as 'beforeExit', 0)) process.kill(process.pid, 'SIGTERM');
  }, checkEveryMs);
  watch.unref();
}

/**
 * Returns the ids of the parent processes up to npm. If sh is dash, as on Debian, the shell stays between npm and the
 * command, even after a SIGKILL of npm. If sh is bash, the command replaces the shell, and the parent of the command is
 * npm. The parent of npm is not checked, because npm keeps running when its parent ends. On Linux, the ids are read
 * from `/proc`. On macOS, which has no `/proc`, the command also replaces the shell.
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
