import { residentMiB } from '../support/memory.ts';

export interface Memory {
  stop(): void;
  /** The peak growth of the process's memory since the start, in MiB; NaN on systems other than Linux. */
  grownMiB(): number;
}

const everyMs = 50;

/** Watches the resident memory of a process until `stop` is called or the process has ended. */
export function watchMemory(pid: number): Memory {
  const first = residentMiB(pid);
  let most = first;
  const timer = setInterval(() => {
    most = Math.max(most, residentMiB(pid));
  }, everyMs);
  return { stop: () => clearInterval(timer), grownMiB: () => most - first };
}
