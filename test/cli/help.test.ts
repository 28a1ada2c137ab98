import { readFile } from 'node:fs/promises';
import { developerCommands } from '@tillhook/server/src/cli/program.ts';
import test from 'ava';
import { runTillhook } from '../support/server/command.ts';

/** An unreachable database: an example whose arguments are right gets as far as this. */
const nowhere = {
  DATABASE_URL: 'postgres://nobody:hidden@127.0.0.1:1/none',
  MASTER_KEYS: `a:${Buffer.alloc(32).toString('base64')}`,
};

interface Page {
  path: string[];
  help: string;
  subcommands: string[];
}

/** The help of the command and of all commands below it. */
async function pagesOf(path: string[] = []): Promise<Page[]> {
  const { code, stdout: help } = await runTillhook({}, ...path, '--help');
  if (code !== 0) throw new Error(`tillhook ${path.join(' ')} --help ended with ${code}.`);
  const [, listed = ''] = /^Commands:\n((?: .*\n)+)/m.exec(help) ?? [];
  const names = [...listed.matchAll(/^ {2}([a-z-]+)/gm)].flatMap(([, name]) => (name && name !== 'help' ? [name] : []));
  const below = await Promise.all(names.map((name) => pagesOf([...path, name])));
  return [{ path, help, subcommands: names }, ...below.flat()];
}

/** The words of a shell line, of which some are in single quotes. */
const wordsOf = (line: string) =>
  [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '');

test('each command has a description, an example that is understood, and its exit codes in its help', async (t) => {
  const pages = await pagesOf();
  t.true(pages.length > 40, `${pages.length} commands`);

  for (const { path, help, subcommands } of pages) {
    const name = `tillhook ${path.join(' ')}`.trim();
    t.regex(help, /^Usage: .*\n\n\S/, `${name} has a description`);
    t.regex(help, /^Exit codes:\n {2}0 {2}done\n {2}1 .*\n {2}2 {2}wrong arguments\n$/m, name);
    const [, example = ''] = /^Example:\n {2}(.+)$/m.exec(help) ?? [];
    if (example.startsWith('source')) continue;
    t.true(
      example.startsWith(subcommands.length > 0 ? 'tillhook ' : `${name} `) || example === name,
      `${name}: ${example}`,
    );
    const { code, stderr } = await runTillhook(nowhere, ...wordsOf(example).slice(1));
    t.is(code, 1, `${example}: ${stderr}`);
  }
});

test('the help names the commands for developers, which are those to which the program leads', async (t) => {
  const { stdout } = await runTillhook({}, '--help');

  const program = await readFile(new URL('../../server/bin/developer-commands.js', import.meta.url), 'utf8');
  const led = /developerCommands = \[(.*)\]/.exec(program)?.[1]?.replaceAll("'", '').split(', ');
  t.deepEqual(developerCommands, led);
  t.regex(
    stdout,
    /^ {2}listen, trigger, advance, verify, events, resend and replay,\n {2}such as: tillhook listen --help$/m,
  );
  t.notRegex(stdout, /npx @tillhook/, 'the package is in no registry');
});

test('--version prints the version of the package', async (t) => {
  const file = new URL('../../server/package.json', import.meta.url);
  const { version } = JSON.parse(await readFile(file, 'utf8'));

  t.deepEqual(await runTillhook({}, '--version'), { code: 0, stdout: `${version}\n`, stderr: '' });
});

test('a command that is run with nothing names all that it requires, and its help marks the same options', async (t) => {
  const marked: Record<string, string[]> = {};
  for (const { path, help, subcommands } of await pagesOf()) {
    if (subcommands.length > 0 || path.length === 0) continue;
    // A long description goes on in the next lines.
    const options = help.split(/^ {2}(?=-)/m).map((text) => text.replace(/\s+/g, ' '));
    const required = options
      .filter((text) => text.includes('(required)'))
      .map((text) => /^(?:-., )?(--\S+)/.exec(text)?.[1]);
    const ids = /^Usage: .*<(\w+)>/.test(help) ? ['019aa3c7-0a1e-7c52-8f3a-1b2c3d4e5f60'] : [];
    const { stderr } = await runTillhook(nowhere, ...path, ...ids);
    const named = [...(/^error: required options? (.*) not specified/m.exec(stderr)?.[1] ?? '').matchAll(/'(--\S+)/g)];
    t.deepEqual(
      named.map(([, flag]) => flag),
      required as string[],
      path.join(' '),
    );
    if (required.length > 0) marked[path.join(' ')] = required as string[];
  }
  t.deepEqual(marked['merchants create'], ['--name', '--currency']);
  t.true(Object.keys(marked).length > 8, `${Object.keys(marked).length} commands`);
});
