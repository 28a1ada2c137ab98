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

/** Both ways to find the declarations, with and without a look into them. */
export async function typeChecks(projects: Projects): Promise<Check[]> {
  const { consumer } = projects;
  await copySamples(consumer);
  const compilers = [
    { version: frameworks.typescript, home: projects.frameworks, choices: [true, false] },
    // What compiles with a look into the declarations compiles without, and this one is slow.
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

/** The same text as a module and as CommonJS: the ending decides. */
async function copySamples(consumer: string): Promise<void> {
  const sample = (name: string) => fileURLToPath(new URL(`./samples/${name}.ts`, import.meta.url));
  await cp(sample('sdk-types'), join(consumer, 'sdk-types.mts'));
  await cp(sample('sdk-types'), join(consumer, 'sdk-types.cts'));
  await cp(sample('mock-types'), join(consumer, 'mock-types.mts'));
  await writeFile(join(consumer, 'readme.mts'), await programOfReadme(consumer));
}

/** The README's code is one program, which `test/sdk/readme.test.ts` runs. */
async function programOfReadme(consumer: string): Promise<string> {
  const readme = await readFile(join(consumer, 'node_modules/@tillhook/sdk/README.md'), 'utf8');
  return [...readme.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, block]) => block).join('\n');
}
