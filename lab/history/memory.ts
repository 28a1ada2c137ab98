import { residentMiB } from '../support/memory.ts';

export interface Memory {
  stop(): void;
  /** How much more the process had at most than at the beginning, in MiB; NaN on systems other than Linux. */
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
