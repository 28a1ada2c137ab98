import assert from 'node:assert/strict';
import { join } from 'node:path';
import { nodes, otherRuntimes } from './pins.ts';
import { install, type Projects } from './projects.ts';
import type { Registry } from './registry.ts';

export interface Runtime {
  name: string;
  program: string;
  install: readonly string[];
  run: readonly string[];
  env?: Record<string, string>;
}

export async function installRuntimes({
  home,
  projects,
  registry,
}: {
  home: string;
  projects: Projects;
  registry: Registry;
}): Promise<Runtime[]> {
  const npm = process.env.npm_execpath;
  assert.ok(npm, 'This runs by `npm run`, which says where npm is.');
  const programs = Object.entries(nodes).map(([name, version]) => ({
    version,
    program: join(projects.tools, 'node_modules', name, 'bin/node'),
  }));
  const all = [...programs, { version: process.versions.node, program: process.execPath }];
  const npmInstall = [
    npm,
    'install',
    '--no-audit',
    '--no-fund',
    '--prefer-offline',
    '--loglevel=error',
    `--cache=${registry.cache}`,
  ];
  return [
    ...all.map(({ version, program }) => ({ name: `Node ${version}`, program, install: npmInstall, run: [] })),
    ...(await otherPrograms(home)),
  ];
}

/** Bun and Deno cache a package by its name and version, so each run needs new caches. */
async function otherPrograms(home: string): Promise<Runtime[]> {
  const { platform, arch } = process;
  const { bun, deno } = otherRuntimes;
  const folder = await install(join(home, 'runtimes'), {
    bun: `npm:@oven/bun-${platform}-${arch === 'arm64' ? 'aarch64' : arch}@${bun}`,
    deno: `npm:@deno/${platform}-${arch}${platform === 'linux' ? '-glibc' : ''}@${deno}`,
  });
  const program = (name: string) => join(folder, 'node_modules', name);
  // By default, Deno refuses packages that are younger than a day.
  return [
    {
      name: `Bun ${bun}`,
      program: program('bun/bin/bun'),
      install: ['add'],
      run: [],
      env: { BUN_INSTALL_CACHE_DIR: join(home, 'bun') },
    },
    {
      name: `Deno ${deno}`,
      program: program('deno/deno'),
      install: ['add', '--npm', '--minimum-dependency-age=0'],
      run: ['run', '--allow-all'],
      env: { DENO_DIR: join(home, 'deno') },
    },
  ];
}
