import { type ChildProcess, execFile, execFileSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';

const needed = ['buildah', 'debootstrap', 'unshare', 'chroot', 'tar'];

export function missingTools(): string | null {
  if (process.platform !== 'linux') return 'this needs Linux.';
  if (process.getuid?.() !== 0) return 'mounting the file system of the image needs root.';
  const missing = needed.filter((tool) => !isInstalled(tool));
  if (missing.length === 0) return null;
  return `${missing.join(', ')} not found. On Debian: apt-get install --no-install-recommends buildah debootstrap`;
}

function isInstalled(tool: string): boolean {
  return (process.env.PATH ?? '').split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, tool), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

const execute = promisify(execFile);
const running = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of running) child.kill();
});

export async function run(command: string, ...args: string[]): Promise<string> {
  const execution = execute(command, args, { maxBuffer: 64 << 20 });
  running.add(execution.child);
  try {
    return (await execution).stdout.trim();
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    throw new Error(`${[command, ...args].join(' ')} failed:\n${`${stdout}${stderr}`.trim().slice(-4000)}`, {
      cause: error,
    });
  } finally {
    running.delete(execution.child);
  }
}

export function npmSetting(name: string): string {
  const value = execFileSync('npm', ['config', 'get', name], { encoding: 'utf8' }).trim();
  return ['undefined', 'null'].includes(value) ? '' : value;
}
