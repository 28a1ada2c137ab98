/**
 * A SIGTERM sent to npm ends npm and the shell of the command, but does not reach the command. So a command that was
 * started with `node --import` of this file stops itself when npm or the shell has ended. On Windows, a process keeps
 * the id of a parent that has ended, so there the command keeps running. This file is JavaScript for the same reason as
 * `server.js`.
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
    // Without a SIGTERM, `node --watch` would wait for the next change of a file.
    if (isWatcher(process.ppid)) process.kill(process.ppid);
    // The server shuts down on this event. A SIGTERM might be its second signal, which would end the server at once.
    if (!process.emit('tillhookParentEnd')) process.kill(process.pid, 'SIGTERM');
  }, checkEveryMs);
  watch.unref();
}

/**
 * If sh is dash, as on Debian, the shell stays between npm and the command, even after a SIGKILL of npm. If sh is bash,
 * or on macOS, the command replaces the shell.
 */
function lineOfParents() {
  const line = [process.ppid];
  for (let pid = process.ppid; isShell(pid) || isWatcher(pid); line.push(pid)) pid = parentOf(pid);
  return line;
}

function isShell(pid) {
  return /^\w*sh$/.test(/\((.*)\)/s.exec(fileOf(pid, 'stat'))?.[1] ?? '');
}

function isWatcher(pid) {
  return fileOf(pid, 'cmdline').split('\0').includes('--watch');
}

function parentOf(pid) {
  return Number(/.*\) \S (\d+)/s.exec(fileOf(pid, 'stat'))?.[1]);
}

function fileOf(pid, name) {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8');
  } catch {
    return '';
  }
}
