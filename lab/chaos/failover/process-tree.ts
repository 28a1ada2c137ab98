/**
 * Finds the processes that a program of a scenario has started, and sends signals to these processes. This file works
 * only on Linux.
 */
import { readdirSync, readFileSync } from 'node:fs';

interface Process {
  id: number;
  parentId: number;
  command: string;
}

/** Returns the ids of the processes whose command contains this text, and of all their descendants. */
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

/** Sends the signal to all of these processes. */
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
    // The name of the program is in parentheses and may contain spaces. The state and the parent's id follow it.
    const [state, parentId] = readFileSync(`/proc/${id}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
    if (state === 'Z') return [];
    const command = readFileSync(`/proc/${id}/cmdline`, 'utf8').replaceAll('\0', ' ');
    return [{ id, parentId: Number(parentId), command }];
  } catch {
    return [];
  }
}
