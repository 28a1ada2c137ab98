import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { platform } from 'node:os';

export interface CpuMeter {
  /** The CPU time of each process, in microseconds per unit of work; empty on systems other than Linux. */
  microsPer(work: number): Record<string, number>;
}

/** The CPU time includes child processes, such as the backends of Postgres. */
export function startCpuMeter(pids: Record<string, number>): CpuMeter {
  if (platform() !== 'linux') return { microsPer: () => ({}) };
  const measure = () => Object.entries(pids).map(([name, pid]) => ({ name, seconds: cpuSeconds(pid) }));
  const before = measure();
  return {
    microsPer: (work) =>
      Object.fromEntries(
        measure().map(({ name, seconds }, index) => [name, ((seconds - (before[index]?.seconds ?? 0)) * 1e6) / work]),
      ),
  };
}

const ticksPerSecond = platform() === 'linux' ? Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' })) : 1;

function cpuSeconds(pid: number): number {
  const children = readdirSync('/proc').filter((entry) => /^\d+$/.test(entry) && fieldsOf(entry)[1] === String(pid));
  return [String(pid), ...children].reduce((sum, id) => sum + ticksOf(id), 0) / ticksPerSecond;
}

function ticksOf(pid: string): number {
  return fieldsOf(pid)
    .slice(11, 15)
    .reduce((sum, field) => sum + Number(field), 0);
}

/** Returns the fields of `/proc/PID/stat` after the name; empty if the process has ended. */
function fieldsOf(pid: string): string[] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  } catch {
    return [];
  }
}
