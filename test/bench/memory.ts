import { readFileSync } from 'node:fs';

/** The most memory that a process ever had resident, in MiB; not a number where the system does not say. */
export function peakMemoryMiB(pid: number): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1]) / 1024;
  } catch {
    return Number.NaN;
  }
}
