import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Check } from './checks.ts';
import { frameworks, oldestTypeScript } from './pins.ts';
import { run } from './processes.ts';
import type { Projects } from './projects.ts';

const resolutions = {
  nodenext: { module: 'nodenext', files: ['sdk-types.mts', 'sdk-types.cts', 'mock-types.mts', 'readme.mts'] },
  bundler: { module: 'esnext', moduleResolution: 'bundler', files: ['sdk-types.mts', 'mock-types.mts', 'readme.mts'] },
};

/**
 * Checks that compile the samples with both module resolutions, with and without checking the declarations themselves.
 */
export async function typeChecks(projects: Projects): Promise<Check[]> {
  const { consumer } = projects;
  await copySamples(consumer);
  const compilers = [
    { version: frameworks.typescript, home: projects.frameworks, choices: [true, false] },
    // The old compiler is slow, so it does not check the declarations themselves.
    { version: oldestTypeScript, home: projects.tools, choices: [false] },
  ];
  return compilers.flatMap(({ version, home, choices }) =>
    Object.entries(resolutions).flatMap(([resolution, settings]) =>
      choices.map((skipLibCheck) => ({
        title: `TypeScript ${version} compiles the samples: ${resolution}, skipLibCheck ${skipLibCheck}`,
        run: async () => {
          const project = join(consumer, `tsconfig.${resolution}.${skipLibCheck}.json`);
          await writeFile(project, JSON.stringify(configuration(settings, skipLibCheck)));
          const tsc = join(home, 'node_modules/typescript/bin/tsc');
          await run({ command: process.execPath, args: [tsc, '-p', project], cwd: consumer });
        },
      })),
    ),
  );
}

function configuration({ files, ...settings }: { files: string[] }, skipLibCheck: boolean): unknown {
  const compilerOptions = { ...settings, skipLibCheck, strict: true, noEmit: true, target: 'es2022', types: ['node'] };
  return { compilerOptions, files };
}

/** Copies the samples. The same text is an ES module as `.mts` and CommonJS as `.cts`. */
async function copySamples(consumer: string): Promise<void> {
  const sample = (name: string) => fileURLToPath(new URL(`./samples/${name}.ts`, import.meta.url));
  await cp(sample('sdk-types'), join(consumer, 'sdk-types.mts'));
  await cp(sample('sdk-types'), join(consumer, 'sdk-types.cts'));
  await cp(sample('mock-types'), join(consumer, 'mock-types.mts'));
  await writeFile(join(consumer, 'readme.mts'), await programOfReadme(consumer));
}

/** The code blocks of the README form one program, which `test/sdk/readme.test.ts` also runs. */
async function programOfReadme(consumer: string): Promise<string> {
  const readme = await readFile(join(consumer, 'node_modules/@tillhook/sdk/README.md'), 'utf8');
  return [...readme.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, block]) => block).join('\n');
}
