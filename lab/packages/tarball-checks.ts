import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { glob, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Check } from './checks.ts';
import { sizeBudgets } from './pins.ts';
import { run } from './processes.ts';
import { ownProgram, type Tarballs } from './projects.ts';

export function tarballChecks({ sdk, mock }: Tarballs, project: string): Check[] {
  const ask = (program: string, ...args: string[]) => run({ command: ownProgram(program), args, cwd: project });
  const installed = (name: string) => join(project, 'node_modules/@tillhook', name);
  return [
    { title: 'publint finds no problem in the SDK', run: async () => void (await ask('publint', sdk, '--strict')) },
    { title: 'publint finds no problem in the mock', run: async () => void (await ask('publint', mock, '--strict')) },
    {
      title: 'are-the-types-wrong finds no problem in the SDK, imported and required, with and without `exports`',
      run: async () => void (await ask('attw', sdk)),
    },
    {
      // The ignored rule forbids ES modules, such as the mock, but Node 20.19 and later can require an ES module.
      title: 'are-the-types-wrong finds no problem in the mock, with and without `exports`',
      run: async () => void (await ask('attw', mock, '--ignore-rules=cjs-resolves-to-esm')),
    },
    { title: 'the SDK has no dependencies and keeps its doc comments', run: () => readSdk(installed('sdk')) },
    { title: 'the mock contains the contract', run: () => readMock(installed('mock')) },
    ...Object.entries(sizeBudgets).map(([entry, bytes]) => ({
      title: `${entry} is at most ${bytes} bytes in a browser, minified and gzipped`,
      run: async (remark: (text: string) => void) => {
        const size = await weigh(entry, project);
        remark(`${size} bytes`);
        assert.ok(size <= bytes, `It is ${size} bytes.`);
      },
    })),
  ];
}

async function readSdk(directory: string): Promise<void> {
  const { dependencies, exports } = await readPackage(directory);
  assert.equal(dependencies, undefined);
  const entries = Object.entries(exports).filter(([entry]) => entry !== './package.json');
  const names = entries.map(([entry]) => `@tillhook/sdk${entry.slice(1)}`);
  assert.deepEqual(names, Object.keys(sizeBudgets), 'The entry points and the size budgets in pins.ts differ.');
  for (const { types } of entries.flatMap(([, entry]) => [entry.import, entry.require])) {
    const declarations = await readFile(join(directory, types), 'utf8');
    assert.match(declarations, /@example/, `${types} has no example in a doc comment.`);
  }
  for await (const file of glob('dist/*.{cts,mts,cjs,mjs}', { cwd: directory })) {
    const named = packagesIn(await readFile(join(directory, file), 'utf8'));
    assert.deepEqual(named, [], `${file} imports another package.`);
  }
  for await (const file of glob('dist/*.{cjs,mjs}', { cwd: directory })) {
    const map = JSON.parse(await readFile(join(directory, `${file}.map`), 'utf8'));
    const texts = map.sourcesContent ?? [];
    assert.ok(texts.length > 0 && texts.every(Boolean), `The source map of ${file} has no sources.`);
  }
  await assertComplete(directory);
}

/** The SDK itself is left out, because examples in doc comments import it. */
function packagesIn(code: string): string[] {
  const named = code.matchAll(/\b(?:from|import|require)\s*\(?\s*["']([@\w][^"'\s|]*)["']/g);
  return [...named].map(([, name = '']) => name).filter((name) => !/^@tillhook\/sdk(\/|$)/.test(name));
}

async function readMock(directory: string): Promise<void> {
  for (const file of ['openapi.yaml', 'contract/payments.yaml']) {
    assert.ok(existsSync(join(directory, 'dist', file)), `The contract is missing: ${file}.`);
  }
  const [mock, sdk] = [await readPackage(directory), await readPackage(join(directory, '../sdk'))];
  assert.equal(
    mock.dependencies?.['@tillhook/sdk'],
    sdk.version,
    'The mock does not depend on the SDK of the same version.',
  );
  assert.equal(
    mock.dependencies?.['@tillhook/openapi'],
    undefined,
    "The mock depends on the contract's package, which is not published.",
  );
  await assertComplete(directory);
}

async function assertComplete(directory: string): Promise<void> {
  const { version, repository, homepage, bugs, publishConfig } = await readPackage(directory);
  const changelog = await readFile(join(directory, 'CHANGELOG.md'), 'utf8');
  assert.equal(/^## (\S+)/m.exec(changelog)?.[1], version, 'The changelog does not begin with this version.');
  assert.ok(
    repository?.url && repository.directory && homepage && bugs?.url,
    'The package lacks the URL of its repository, homepage or issues.',
  );
  assert.deepEqual(publishConfig, { access: 'public', provenance: true });
  assert.ok(existsSync(join(directory, 'README.md')), 'The README is missing.');
  const isLicensed = ['LICENSE', 'dist/LICENSE'].some((file) => existsSync(join(directory, file)));
  assert.ok(isLicensed, 'The licence is missing.');
}

interface PackageJson {
  version: string;
  dependencies?: Record<string, string>;
  repository?: { url: string; directory: string };
  homepage?: string;
  bugs?: { url: string };
  publishConfig: Record<string, unknown>;
  exports: Record<string, Record<'import' | 'require', { types: string }>>;
}

async function readPackage(directory: string): Promise<PackageJson> {
  return JSON.parse(await readFile(join(directory, 'package.json'), 'utf8'));
}

async function weigh(specifier: string, project: string): Promise<number> {
  const name = specifier.replaceAll(/\W/g, '');
  const [entry, bundle] = [join(project, `${name}.entry.mjs`), join(project, `${name}.bundle.mjs`)];
  await writeFile(entry, `export * from '${specifier}';\n`);
  const args = [entry, '--minify', '--format=esm', '--platform=browser', `--file=${bundle}`];
  await run({ command: ownProgram('rolldown'), args, cwd: project });
  const text = await readFile(bundle, 'utf8');
  assert.doesNotMatch(
    text,
    /\b(from|import|require)\s*\(?["'`]/,
    'The bundle imports a module that browsers do not have.',
  );
  return gzipSync(text).length;
}
