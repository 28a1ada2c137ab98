/** Several processes may build at the same time, so each build writes to a new folder, which then replaces `dist`. */
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, globSync, statSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

export interface Build {
  folder: string;
  output: string;
  sources: [string, ...string[]];
  /** Node's arguments; the path of the output folder is appended. */
  args: () => string[];
}

const root = join(import.meta.dirname, '../../..');

export const dashboard: Build = {
  folder: 'server/dashboard',
  output: 'index.html',
  sources: [
    'server/dashboard/src',
    'server/dashboard/words',
    'server/dashboard/index.html',
    'server/dashboard/vite.config.ts',
    'server/dashboard/tsconfig.json',
    'server/dashboard/package.json',
    'server/look',
    'sdk/src',
    'docs/quick-start',
    'package.json',
  ],
  args: () => [installed('server/dashboard', 'vite', 'bin/vite.js'), 'build', '--outDir'],
};

export const docs: Build = {
  folder: 'server/docs',
  output: 'search.json',
  sources: [
    'server/docs/src',
    'server/docs/guides',
    'server/docs/assets',
    'server/docs/figures',
    'server/docs/package.json',
    'server/look',
    'server/src/kit',
    'server/src/pages/docs',
    'openapi',
    'sdk/src',
    'sdk/recipes',
    'docs/quick-start',
    'docs/first-hour.txt',
  ],
  args: () => ['--conditions=@tillhook/source', '--disable-warning=ExperimentalWarning', 'src/build.ts'],
};

export const sdk: Build = {
  folder: 'sdk',
  output: 'index.mjs',
  sources: ['sdk/src', 'sdk/tsdown.config.ts', 'sdk/tsconfig.json', 'sdk/package.json'],
  args: () => [installed('sdk', 'tsdown', 'dist/run.mjs'), '--out-dir'],
};

export function isBuilt({ folder, output }: Build): boolean {
  return existsSync(join(root, folder, 'dist', output));
}

/** Builds a package whose sources are newer than its last build. */
export async function build({ folder, output, sources, args }: Build): Promise<void> {
  // A deployment has the built files, but not their sources, so nothing is built.
  if (!existsSync(join(root, sources[0]))) return;
  const cwd = join(root, folder);
  const dist = join(cwd, 'dist');
  const isFresh = () => {
    const builtAt = statSync(join(dist, output), { throwIfNoEntry: false })?.mtimeMs ?? 0;
    return builtAt > lastChange(['package-lock.json', ...sources]);
  };
  if (isFresh()) return;
  const command = args();
  const built = join(cwd, `.dist-${randomUUID()}`);
  const old = `${built}-old`;
  try {
    await runNode([...command, built], cwd);
    await rename(dist, old).catch(() => {});
    await rename(built, dist).catch((error) => {
      // The rename fails harmlessly if another process has finished the same build in the meantime.
      if (!isFresh()) throw error;
    });
  } finally {
    for (const path of [built, old]) await rm(path, { recursive: true, force: true });
  }
}

/** Includes the times of folders, because the time of a folder changes when a file in the folder is removed. */
function lastChange(paths: string[]): number {
  const patterns = paths.flatMap((path) => [path, `${path}/**`]);
  const found = globSync(patterns, { cwd: root, exclude: (name) => name === 'node_modules' });
  return Math.max(...found.map((path) => statSync(join(root, path)).mtimeMs));
}

function installed(folder: string, tool: string, program: string): string {
  try {
    return join(dirname(createRequire(join(root, folder, '/')).resolve(`${tool}/package.json`)), program);
  } catch (cause) {
    throw new Error(`${tool} is not installed.`, { cause });
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
