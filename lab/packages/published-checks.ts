/** Publishes both packages to a registry on this machine, and installs them from this registry by name, as users do. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Check } from './checks.ts';
import { installRuntimes, type Runtime } from './package-runtimes.ts';
import { type Command, run } from './processes.ts';
import type { Projects, Tarballs } from './projects.ts';
import { type Registry, startRegistry } from './registry.ts';
import { type RunningMock, writeScript } from './runtime-checks.ts';

interface Place {
  home: string;
  tarballs: Tarballs;
  projects: Projects;
  mock: Promise<RunningMock>;
}

export async function publishedChecks({ home, tarballs, projects, mock }: Place): Promise<Check[]> {
  const registry = await startRegistry(home);
  const published = publish(registry, tarballs);
  // If the packages cannot be published, a separate check reports the failure.
  published.catch(() => null);
  const { bin, version } = JSON.parse(await readFile(join(projects.consumer, mockManifest), 'utf8'));
  return [
    {
      title: '`npm publish` publishes both packages without a warning',
      run: async (remark) => remark(await published),
    },
    ...(await installRuntimes({ home, projects, registry })).map((runtime) => ({
      title: `${runtime.name} installs both packages in an empty project and runs the SDK there`,
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

async function publish({ emptyProject, cache }: Registry, tarballs: Tarballs): Promise<string> {
  const project = await emptyProject('publisher');
  const told: string[] = [];
  for (const [name, tarball] of Object.entries(tarballs)) {
    // Provenance is off, because only GitHub and GitLab CI can sign it.
    const args = ['publish', tarball, '--provenance=false', `--cache=${cache}`];
    const output = await run({ command: 'npm', args: [...args, '--dry-run'], cwd: project });
    assert.doesNotMatch(output, /^npm (warn|error)/im);
    console.log(contentsOf(output));
    await run({ command: 'npm', args, cwd: project });
    told.push(`${name}: ${/total files: *(\d+)/.exec(output)?.[1]} files, ${/package size: *(.+)/.exec(output)?.[1]}`);
  }
  return told.join('; ');
}

function contentsOf(output: string): string {
  const lines = output.split('\n').map((line) => line.replace(/^npm notice ?/, ''));
  const [name, first, end] = [/@tillhook\//, /Tarball Contents/, /Tarball Details/].map((mark) =>
    lines.findIndex((line) => mark.test(line)),
  );
  return [lines[name ?? 0], ...lines.slice((first ?? 0) + 1, end)].map((line) => `    ${line}`).join('\n');
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

/** `npx @tillhook/mock` runs the command with the name of the package. */
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
    assert.match(output, /^Usage: /m, `npx ${args.join(' ')} printed no help.`);
  }
}
