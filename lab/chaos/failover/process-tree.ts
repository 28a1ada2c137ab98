/** Finds and signals processes. Works only on Linux, because it reads `/proc`. */
import { readdirSync, readFileSync } from 'node:fs';

interface Process {
  id: number;
  parentId: number;
  command: string;
}

export function processesOf(text: string): number[] {
  const all = readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? readProcess(Number(name)) : []));
  const found = new Set(all.filter(({ command }) => command.includes(text)).map(({ id }) => id));
  for (let before = -1; before < found.size; ) {
    before = found.size;
    for (const { id, parentId } of all) if (found.has(parentId)) found.add(id);
  }
  found.delete(process.pid);
  return [...found];
}

export function signalAll(ids: readonly number[], signal: 'SIGKILL' | 'SIGSTOP' | 'SIGCONT'): void {
  for (const id of ids) {
    try {
      process.kill(id, signal);
    } catch {
      // The process has already ended.
    }
  }
}

function readProcess(id: number): Process[] {
  try {
    // In `/proc/PID/stat`, the name of the program is in parentheses and may contain spaces.
    const [state, parentId] = readFileSync(`/proc/${id}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
    if (state === 'Z') return [];
    const command = readFileSync(`/proc/${id}/cmdline`, 'utf8').replaceAll('\0', ' ');
    return [{ id, parentId: Number(parentId), command }];
  } catch {
    return [];
  }
}
