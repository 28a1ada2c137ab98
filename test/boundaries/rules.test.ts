import { mkdtempSync, rmSync } from 'node:fs';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import test from 'ava';
import { cruise, type ICruiseOptions, type ICruiseResult } from 'dependency-cruiser';
import extractOptions from 'dependency-cruiser/config-utl/extract-depcruise-options';
import { type Culprit, culpritContext, type Imports, lawful, culprits as namedCulprits } from './fixtures.ts';

const root = mkdtempSync(join(tmpdir(), 'boundaries-'));
const packages = ['openapi', 'sdk', 'server', 'developer', 'mock', 'test'];
const config = fileURLToPath(new URL('../../.dependency-cruiser.js', import.meta.url));
const options: ICruiseOptions = await extractOptions(config);
/** A set, because the layer rules of single files, such as `context.ts`, all have the name `layers`. */
const rules = new Set((options.ruleSet?.forbidden ?? []).map((rule) => rule.name ?? 'a rule without a name'));

const placesOf = (kind: string) =>
  [...rules].flatMap((rule) => (rule.startsWith(kind) ? [rule.slice(kind.length)] : []));
const modules = placesOf('layers: ');
const folders = placesOf('order: ');
const culprits: Record<string, Culprit> = {
  ...namedCulprits,
  ...Object.fromEntries(modules.map((module) => [`layers: ${module}`, reachingUp(module)])),
  ...Object.fromEntries(folders.map((folder) => [`order: ${folder}`, reachingOverFolders(folder)])),
};

test.after.always(() => rmSync(root, { recursive: true, force: true }));

test('for every import rule, a sample file breaks the rule', (t) => {
  t.true(modules.includes('money/payments/') && modules.includes('wire/') && folders.includes('mock/src/memory/'));
  t.deepEqual(Object.keys(culprits).toSorted(), [...rules].toSorted());
});

test('each sample file breaks only the import rule that it is for, and files that keep the boundaries break no rule', async (t) => {
  const unlawful = Object.values(culprits).map(({ from, imports }) => [from, imports === '' ? [] : [imports]] as const);
  const tree = { ...lawful, ...culpritContext, ...Object.fromEntries(unlawful) };
  const expected = Object.entries(culprits).map(([rule, { from, to }]) => `${rule}: ${from} → ${to}`);
  t.deepEqual(await offencesIn(tree), expected.toSorted());
});

function reachingUp(module: string): Culprit {
  const up = '../'.repeat(module.split('/').length - 1);
  return { from: `server/src/${module}reaches-up.ts`, imports: `type ${up}main.ts`, to: 'server/src/main.ts' };
}

function reachingOverFolders(folder: string): Culprit {
  const tops: Record<string, string> = {
    mock: 'commands/mock.ts',
    developer: 'program.ts',
    openapi: 'index.ts',
    test: 'run/run.ts',
  };
  const top = tops[folder.split('/')[0] ?? ''] ?? '';
  const source = folder.replace(/[^/]+\/$/, '');
  return { from: `${folder}reaches-up.ts`, imports: `type ../${top}`, to: source + top };
}

async function offencesIn(tree: Imports): Promise<string[]> {
  await writeTree({ ...manifests(), ...sources(tree) });
  await linkPackages();
  const { output } = await cruise([...packages, 'lab'], { ...options, validate: true, baseDir: root });
  const { violations } = (output as ICruiseResult).summary;
  return violations.map(({ rule, from, to }) => `${rule.name}: ${from} → ${to}`).toSorted();
}

function sources(tree: Imports): Record<string, string> {
  const statement = (imported: string, index: number) => {
    const [, type = '', specifier] = /^(type )?(.+)$/.exec(imported) ?? [];
    return `import ${type}* as it${index} from '${specifier}';\n`;
  };
  return Object.fromEntries(Object.entries(tree).map(([path, imports]) => [path, imports.map(statement).join('')]));
}

function manifests(): Record<string, string> {
  const libraries = ['express', 'agenda', 'undici', 'prom-client', '@mikro-orm/core', '@opentelemetry/api'];
  const installed = [...libraries, 'abandoned', 'undeclared'];
  const declared = installed.filter((name) => name !== 'undeclared');
  const source = (path: string) => ({ '@tillhook/source': path, default: './dist/absent.mjs' });
  const manifest = (content: object) => JSON.stringify({ version: '1.0.0', type: 'module', ...content });
  return {
    'package.json': manifest({ workspaces: packages }),
    'openapi/package.json': manifest({ exports: { '.': './index.ts', './rules/*': './rules/*.ts' } }),
    'sdk/package.json': manifest({
      exports: { '.': source('./src/index.ts'), './webhooks': source('./src/webhooks.ts') },
    }),
    'server/package.json': manifest({
      exports: './src/start/tillhook.ts',
      dependencies: Object.fromEntries(declared.map((name) => [name, '1'])),
    }),
    'developer/package.json': manifest({ exports: { './program': './src/program.ts' } }),
    'mock/package.json': manifest({ exports: { './api': './src/api.ts' } }),
    'test/package.json': manifest({}),
    ...Object.fromEntries(
      installed.flatMap((name) => [
        [
          `node_modules/${name}/package.json`,
          manifest({ name, deprecated: name === 'abandoned' ? 'Yes.' : undefined }),
        ],
        [`node_modules/${name}/index.js`, ''],
      ]),
    ),
  };
}

async function writeTree(files: Record<string, string>): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    const file = join(root, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, content);
  }
}

async function linkPackages(): Promise<void> {
  await mkdir(join(root, 'node_modules/@tillhook'), { recursive: true });
  for (const name of packages) {
    await symlink(join(root, name), join(root, 'node_modules/@tillhook', name), 'junction');
  }
}
