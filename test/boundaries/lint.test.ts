import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import test from 'ava';
import { exempt, offenders } from './lint-samples.ts';

interface Diagnostic {
  category: string;
  severity: string;
  message: string;
  location: { path: string };
}

type Rules = Record<string, Record<string, unknown>>;

const repository = fileURLToPath(new URL('../..', import.meta.url));
const plugins = 'test/boundaries/plugins';
const biome = createRequire(import.meta.url).resolve('@biomejs/biome/bin/biome');
const config = JSON.parse(readFileSync(join(repository, 'biome.json'), 'utf8'));
const root = mkdtempSync(join(tmpdir(), 'lint-'));

test.after.always(() => rmSync(root, { recursive: true, force: true }));

test('for every rule that biome.json names, a sample file breaks the rule', (t) => {
  const sets: Rules[] = [config, ...config.overrides].map(({ linter }) => linter?.rules ?? {});
  const levels = sets.flatMap(({ preset, ...groups }) => Object.values(groups).flatMap(Object.entries<unknown>));
  const named = levels.filter(([, level]) => level !== 'off').map(([rule]) => rule);
  const rules = new Set([...named, ...readdirSync(join(repository, plugins))]);
  t.deepEqual(Object.keys(offenders).toSorted(), [...rules].toSorted());
});

test('each sample file breaks only the lint rule that it is for; exempt files break no rule', async (t) => {
  const samples = [...Object.values(offenders), ...exempt];
  const unique = new Map(samples.map(([path, code]) => [path, code]));
  t.is(unique.size, samples.length);

  const reported = await lint(unique);

  const expected = Object.entries(offenders).map(([rule, [path]]) => `${rule}: ${path}`);
  t.deepEqual(reported, expected.toSorted());
});

async function lint(files: ReadonlyMap<string, string>): Promise<string[]> {
  for (const [path, code] of files) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), `${code}\n`);
  }
  await writeFile(join(root, '.gitignore'), 'node_modules/\n');
  await writeFile(join(root, 'biome.json'), JSON.stringify(config));
  cpSync(join(repository, plugins), join(root, plugins), { recursive: true });

  const report = await run([biome, 'lint', '--reporter=json', '--max-diagnostics=none']);
  const failures: Diagnostic[] = JSON.parse(report).diagnostics;
  const breaches = failures.filter(({ severity }) => severity !== 'information' && severity !== 'info');
  return [...new Set(breaches.map((it) => `${ruleOf(it)}: ${it.location.path}`))].toSorted();
}

function ruleOf({ category, message }: Diagnostic): string {
  const isSource = (plugin: string) => readFileSync(join(repository, plugins, plugin), 'utf8').includes(message);
  if (category === 'plugin') return readdirSync(join(repository, plugins)).find(isSource) ?? message;
  return basename(category);
}

/** Biome exits with 1 when it finds problems, as it does here. */
function run(args: string[]): Promise<string> {
  return new Promise((resolve) => {
    execFile(process.execPath, args, { cwd: root, maxBuffer: 1 << 24 }, (_, stdout) => resolve(stdout));
  });
}
