/** Runs the builds of the dashboard, the documentation and the SDK in separate processes. */
import { spawn } from 'node:child_process';
import { existsSync, globSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

interface Build {
  /** Where it runs, from the root of the repository. */
  folder: string;
  /** The file in this folder that it writes. */
  makes: string;
  /** The files and folders that it reads, from the root of the repository, besides the packages. The first is its source. */
  reads: [string, ...string[]];
  /** Calls Node with these arguments in the folder. */
  args: () => string[];
}

const root = join(import.meta.dirname, '../../..');

/** Rejects with the end of the build's output when the build fails. */
export const buildDashboard = (): Promise<void> =>
  build({
    folder: 'server/dashboard',
    makes: 'dist/index.html',
    reads: [
      'server/dashboard/src',
      'server/dashboard/index.html',
      'server/dashboard/vite.config.ts',
      'server/dashboard/tsconfig.json',
      'server/dashboard/package.json',
      'server/look',
      'sdk/src',
      'docs/quick-start',
      'package.json',
    ],
    args: () => [installed('server/dashboard', 'vite', 'bin/vite.js'), 'build'],
  });

/** Rejects with the end of the build's output when the build fails. */
export const buildDocs = (): Promise<void> =>
  build({
    folder: 'server/docs',
    makes: 'dist/search.json',
    reads: [
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
  });

/** Rejects with the end of the build's output when the build fails. */
export const buildSdk = (): Promise<void> =>
  build({
    folder: 'sdk',
    makes: 'dist/index.mjs',
    reads: ['sdk/src', 'sdk/tsdown.config.ts', 'sdk/tsconfig.json', 'sdk/package.json'],
    args: () => [installed('sdk', 'tsdown', 'dist/run.mjs')],
  });

async function build({ folder, makes, reads, args }: Build): Promise<void> {
  const cwd = join(root, folder);
  // A deployment has only what was built.
  if (!existsSync(join(root, reads[0]))) return;
  const builtAt = statSync(join(cwd, makes), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  if (builtAt > lastChange(['package-lock.json', ...reads])) return;
  await runNode(args(), cwd);
}

/** When one of these files and folders was last written, in milliseconds. A folder is written when one of its files is removed. */
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
