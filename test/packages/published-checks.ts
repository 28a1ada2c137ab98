/**
 * Publishes both packages to a registry of this machine, and installs them from there by name, as their users will: with
 * npm on each Node, with Bun and with Deno. And runs each command by `npx` in a project that has nothing.
 */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Check } from './checks.ts';
import { nodes, otherRuntimes } from './pins.ts';
import { type Command, run } from './processes.ts';
import { install, type Projects, type Tarballs } from './projects.ts';
import { type Registry, startRegistry } from './registry.ts';
import { type RunningMock, writeScript } from './runtime-checks.ts';

interface Place {
  home: string;
  tarballs: Tarballs;
  projects: Projects;
  mock: Promise<RunningMock>;
}

/** A program that installs packages and runs scripts. */
interface Runtime {
  name: string;
  program: string;
  install: readonly string[];
  run: readonly string[];
  env?: Record<string, string>;
}

export async function publishedChecks({ home, tarballs, projects, mock }: Place): Promise<Check[]> {
  const registry = await startRegistry(home);
  const published = publish(registry, tarballs);
  // If it fails, its own check says so.
  published.catch(() => null);
  const { bin, version } = JSON.parse(await readFile(join(projects.consumer, mockManifest), 'utf8'));
  return [
    { title: '`npm publish` takes both packages and warns of nothing', run: async (remark) => remark(await published) },
    ...(await runtimes({ home, projects, registry })).map((runtime) => ({
      title: `${runtime.name} installs both packages in an empty project, and runs the SDK there`,
      run: async () => {
        await published;
        const project = await registry.emptyProject(runtime.name.replaceAll(/\W/g, '-'));
        await installAndRun(runtime, { project, version, url: (await mock).url });
      },
    })),
    {
      title: `npx runs ${Object.keys(bin).join(', ')} in an empty project`,
      run: async () => {
        await published;
        await runCommands(registry, { bin, version });
      },
    },
  ];
}

const mockManifest = 'node_modules/@tillhook/mock/package.json';

/** Returns how many files were published, and their size. */
async function publish({ emptyProject, cache }: Registry, tarballs: Tarballs): Promise<string> {
  const project = await emptyProject('publisher');
  const told: string[] = [];
  for (const [name, tarball] of Object.entries(tarballs)) {
    // No job of GitHub or GitLab runs this, and only they can sign where a package comes from.
    const args = ['publish', tarball, '--provenance=false', `--cache=${cache}`];
    const output = await run({ command: 'npm', args: [...args, '--dry-run'], cwd: project });
    assert.doesNotMatch(output, /^npm (warn|error)/im);
    console.log(contentsOf(output));
    await run({ command: 'npm', args, cwd: project });
    told.push(`${name}: ${/total files: *(\d+)/.exec(output)?.[1]} files, ${/package size: *(.+)/.exec(output)?.[1]}`);
  }
  return told.join('; ');
}

/** What npm says about the contents of a tarball: each file with its size. */
function contentsOf(output: string): string {
  const lines = output.split('\n').map((line) => line.replace(/^npm notice ?/, ''));
  const [name, first, end] = [/@tillhook\//, /Tarball Contents/, /Tarball Details/].map((mark) =>
    lines.findIndex((line) => mark.test(line)),
  );
  return [lines[name ?? 0], ...lines.slice((first ?? 0) + 1, end)].map((line) => `    ${line}`).join('\n');
}

async function runtimes({
  home,
  projects,
  registry,
}: Omit<Place, 'tarballs' | 'mock'> & { registry: Registry }): Promise<Runtime[]> {
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

/**
 * Bun and Deno, which npm has as packages for each platform. Their caches know a package by name and version, so a
 * cache that outlives this run would give a later one these packages.
 */
async function otherPrograms(home: string): Promise<Runtime[]> {
  const { platform, arch } = process;
  const { bun, deno } = otherRuntimes;
  const folder = await install(join(home, 'runtimes'), {
    bun: `npm:@oven/bun-${platform}-${arch === 'arm64' ? 'aarch64' : arch}@${bun}`,
    deno: `npm:@deno/${platform}-${arch}${platform === 'linux' ? '-glibc' : ''}@${deno}`,
  });
  const program = (name: string) => join(folder, 'node_modules', name);
  // Deno would refuse a package that is younger than a day.
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

async function installAndRun(
  runtime: Runtime,
  { project, version, url }: { project: string; version: string; url: string },
): Promise<void> {
  const { program, env } = runtime;
  const start = (args: readonly string[]): Command => ({ command: program, args, cwd: project, ...(env && { env }) });
  await run(start([...runtime.install, `@tillhook/sdk@${version}`, `@tillhook/mock@${version}`]));
  await run(start([...runtime.run, await writeScript(project), url]));
}

/** `npx @tillhook/mock` runs the command that has the name of the package, if there is one. */
async function runCommands(
  { emptyProject, cache }: Registry,
  { bin, version }: { bin: Record<string, string>; version: string },
): Promise<void> {
  const project = await emptyProject('npx');
  const npx = ['--yes', '--prefer-offline', `--cache=${cache}`];
  const called = Object.keys(bin).map((name) => [`--package=@tillhook/mock@${version}`, '--', name, '--help']);
  if ('mock' in bin) called.push([`@tillhook/mock@${version}`, 'listen', '--help']);
  for (const args of called) {
    const output = await run({ command: 'npx', args: [...npx, ...args], cwd: project });
    assert.match(output, /^Usage: /m, `npx ${args.join(' ')} prints no help.`);
  }
}
