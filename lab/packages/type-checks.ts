import { cp, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Check } from './checks.ts';
import { frameworks, nodes, oldestTypeScript } from './pins.ts';
import { run } from './processes.ts';
import type { Projects } from './projects.ts';

const resolutions = {
  nodenext: { module: 'nodenext', files: ['sdk-types.mts', 'sdk-types.cts', 'mock-types.mts', 'readme.mts'] },
  bundler: { module: 'esnext', moduleResolution: 'bundler', files: ['sdk-types.mts', 'mock-types.mts', 'readme.mts'] },
  // Before TypeScript 6, `dom` did not include `dom.iterable`.
  dom: { module: 'esnext', moduleResolution: 'bundler', lib: ['es2022', 'dom'], types: [], files: ['dom-types.mts'] },
};

/**
 * The resolution of Node before version 12, which does not read `exports`. TypeScript 7 no longer has it.
 * See docs/decisions/sdk.md, "Folders stand for the entry points where `exports` is not read".
 */
const node10 = {
  module: 'commonjs',
  moduleResolution: 'node10',
  noEmit: false,
  files: ['sdk-types.cts', 'mock-types.cts', 'use-node10.cts'],
};

export async function typeChecks(projects: Projects): Promise<Check[]> {
  const { consumer } = projects;
  await copySamples(consumer);
  const compilers = [
    { version: frameworks.typescript, home: projects.frameworks, choices: [true, false] },
    // The oldest compiler is slow, so it does not check the declaration files.
    { version: oldestTypeScript, home: projects.tools, choices: [false] },
  ];
  const others = compilers.flatMap(({ version, home, choices }) =>
    Object.entries(resolutions).flatMap(([resolution, settings]) =>
      choices.map((skipLibCheck) => ({
        title: `TypeScript ${version} compiles the samples: ${resolution}, skipLibCheck ${skipLibCheck}`,
        run: async () => {
          const project = join(consumer, `tsconfig.${resolution}.${skipLibCheck}.json`);
          await writeFile(project, JSON.stringify(configuration(settings, skipLibCheck)));
          await compile(project, home);
        },
      })),
    ),
  );
  return [...others, node10Check(projects)];
}

function node10Check({ consumer, tools }: Projects): Check {
  return {
    title: `TypeScript ${oldestTypeScript} compiles CommonJS without reading \`exports\`, and Node ${nodes.node20} runs it`,
    run: async () => {
      const project = join(consumer, 'tsconfig.node10.json');
      await writeFile(project, JSON.stringify(configuration(node10, true)));
      await compile(project, tools);
      const command = join(tools, 'node_modules/node20/bin/node');
      await run({ command, args: ['use-node10.cjs'], cwd: consumer });
    },
  };
}

function compile(project: string, home: string): Promise<string> {
  const tsc = join(home, 'node_modules/typescript/bin/tsc');
  return run({ command: process.execPath, args: [tsc, '-p', project], cwd: dirname(project) });
}

function configuration({ files, ...settings }: { files: string[] }, skipLibCheck: boolean): unknown {
  const compilerOptions = { skipLibCheck, strict: true, noEmit: true, target: 'es2022', types: ['node'], ...settings };
  return { compilerOptions, files };
}

/** A copy of a sample with the extension `.mts` is an ES module, and a copy with `.cts` is a CommonJS module. */
async function copySamples(consumer: string): Promise<void> {
  const sample = (name: string) => fileURLToPath(new URL(`./samples/${name}.ts`, import.meta.url));
  await cp(sample('sdk-types'), join(consumer, 'sdk-types.mts'));
  await cp(sample('sdk-types'), join(consumer, 'sdk-types.cts'));
  await cp(sample('dom-types'), join(consumer, 'dom-types.mts'));
  await cp(sample('mock-types'), join(consumer, 'mock-types.mts'));
  await cp(sample('mock-types'), join(consumer, 'mock-types.cts'));
  await cp(sample('use-node10'), join(consumer, 'use-node10.cts'));
  await writeFile(join(consumer, 'readme.mts'), await programOfReadme(consumer));
}

async function programOfReadme(consumer: string): Promise<string> {
  const readme = await readFile(join(consumer, 'node_modules/@tillhook/sdk/README.md'), 'utf8');
  return [...readme.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, block]) => block).join('\n');
}
