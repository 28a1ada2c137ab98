import { readFileSync } from 'node:fs';

/** The peak resident memory of a process, in MiB; NaN on systems other than Linux. */
export function peakMemoryMiB(pid: number): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1]) / 1024;
  } catch {
    return Number.NaN;
  }
}

/** The resident memory of a process in MiB: 0 when the process has ended, and NaN on systems other than Linux. */
export function residentMiB(pid: number): number {
  try {
    return Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;
  } catch {
    return process.platform === 'linux' ? 0 : Number.NaN;
  }
}
