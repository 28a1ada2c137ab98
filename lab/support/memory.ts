import { readFileSync } from 'node:fs';

/** Returns NaN on systems other than Linux. */
export function peakMemoryMiB(pid: number): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1]) / 1024;
  } catch {
    return Number.NaN;
  }
}

/** Returns 0 if the process has ended, and NaN on systems other than Linux. */
export function residentMiB(pid: number): number {
  try {
    return Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;
  } catch {
    return process.platform === 'linux' ? 0 : Number.NaN;
  }
}

export interface Memory {
  stop(): void;
  /** The peak growth of the memory since the start, in MiB; NaN on systems other than Linux. */
  grownMiB(): number;
}

const everyMs = 50;

export function watchMemory(pid: number): Memory {
  const first = residentMiB(pid);
  let peak = first;
  const timer = setInterval(() => {
    peak = Math.max(peak, residentMiB(pid));
  }, everyMs);
  return { stop: () => clearInterval(timer), grownMiB: () => peak - first };
}
