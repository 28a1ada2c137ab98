/**
 * Runs the build of `server/dashboard` in a separate process. It uses turbo, which has a cache of earlier builds, or
 * Vite itself when development dependencies are not installed.
 */
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const dashboard = join(import.meta.dirname, '../../dashboard');

/** Rejects with the end of the build's output when the build fails. */
export function buildDashboard(): Promise<void> {
  const vite = installed('vite/package.json', 'bin/vite.js');
  return (
    buildWithTurbo('@tillhook/dashboard') ?? (vite ? runNode([vite, 'build'], dashboard) : Promise.reject(noBuilder()))
  );
}

const noBuilder = () => new Error('Neither turbo nor Vite is installed.');

/** Builds several packages at the same time. Null when turbo is not installed, as after `npm ci --omit=dev`. */
export function buildWithTurbo(...packages: string[]): Promise<void> | null {
  const turbo = installed('turbo/package.json', 'bin/turbo');
  const filters = packages.map((name) => `--filter=${name}`);
  return turbo ? runNode([turbo, 'run', 'build', ...filters], join(dashboard, '../..')) : null;
}

/** The path of a package's program, or null when the package is not installed. */
function installed(manifest: string, program: string): string | null {
  try {
    return join(dirname(createRequire(`${dashboard}/`).resolve(manifest)), program);
  } catch {
    return null;
  }
}

function runNode(args: string[], cwd: string): Promise<void> {
  const child = spawn(process.execPath, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
  const printed: string[] = [];
  child.stdout.on('data', (text) => printed.push(String(text)));
  child.stderr.on('data', (text) => printed.push(String(text)));
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => (code === 0 ? resolve() : reject(new Error(printed.join('').trim().slice(-2_000)))));
  });
}
