import { readFile } from 'node:fs/promises';
import { developerCommands } from '@tillhook/server/src/cli/program.ts';
import test from 'ava';
import { runTillhook, spawnCommand } from '../support/server/command.ts';

/** An unreachable database: wrong arguments are reported before a connection is tried, and right ones get as far as this. */
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

/** The help of all commands. */
const pages = pagesOf();

/** The words of a shell line, of which some are in single quotes. */
const wordsOf = (line: string) =>
  [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '');

test('each command has a description, an example that is understood, and its exit codes in its help', async (t) => {
  t.true((await pages).length > 40);

  for (const { path, help, subcommands } of await pages) {
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
  for (const { path, help, subcommands } of await pages) {
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

const id = '01997c3e-6f1d-7cc0-8e0b-2f5d9a1b4c7e';

const refused: [args: string, complaint: RegExp][] = [
  ['', /Commands:/],
  ['keys create', /required option '--mode <mode>' not specified/],
  ['keys create --mode real', /Allowed choices are test, live\./],
  ['keys create --mode test --scopes all', /Allowed choices are checkout:write, payments:read, .*products:write/],
  ['keys create --mode test --scopes=', /Allowed choices are checkout:write/],
  ['keys create --mode test --merchant Ada', /It is an id such as/],
  [`keys roll ${id} --overlap 2h`, /Allowed choices are 0, 1h, 24h, 7d\./],
  ['keys revoke', /missing required argument 'key'/],
  ['keys burn', /unknown command 'burn'/],
  ['merchants create --name Ada --currency XYZ', /It is a code of ISO 4217/],
  [`merchants create --currency NGN --name ${'a'.repeat(121)}`, /It is one line of at most 120 characters\./],
  ['merchants suspend Ada', /It is an id such as/],
  [`merchants set-fee ${id}`, /required option '--amount <amount>' not specified/],
  [`merchants set-fee ${id} --amount 1000000000000`, /It is a whole number from 0 to 999999999999\./],
  [`merchants set-fee ${id} --amount=-1`, /It is a whole number/],
  ['transfers list --status open', /Allowed choices are pending, processing, completed, failed, reversed\./],
  ['transfers settle payout-77', /It is an id such as/],
  [`transfers fail ${id}`, /required option '--reason <reason>' not specified/],
  [`transfers fail ${id} --reason Closed --code=Closed!`, /It is a code such as account_closed\./],
  [`transfers reverse ${id} --reason=`, /It is one line of at most 200 characters\./],
  ['users create --email ada', /It must be an email address, such as/],
  ['deliveries replay --mode test --since 9999999y', /It is a length of time of at most 10 years, such as 90s/],
  ['deliveries replay --mode test --since 11y', /It is a length of time of at most 10 years/],
  ['deliveries replay --mode test --since 2h --until soon', /It is a day or a time such as/],
  ['deliveries replay --mode test --since 5', /It is a day or a time such as/],
];

for (const [args, complaint] of refused) {
  test(`"tillhook ${args}" is refused with the usage and exit 2`, async (t) => {
    const { code, stdout, stderr } = await runTillhook(nowhere, ...args.split(' ').filter(Boolean));

    t.is(code, 2);
    t.is(stdout, '');
    t.regex(stderr, complaint);
    t.regex(stderr, /^Usage: tillhook /m);
  });
}

test('a command with wrong arguments exits with 2 and says why', async (t) => {
  const { code, stdout, stderr } = await spawnCommand(nowhere, 'keys', 'create', '--mode', 'real').ended;

  t.deepEqual([code, stdout], [2, '']);
  t.regex(stderr, /Allowed choices are test, live\./);
});

test('an unreachable database gives one line without its password, and exit 1', async (t) => {
  const { code, stdout, stderr } = await spawnCommand(nowhere, 'keys', 'list', '--json').ended;

  t.is(code, 1);
  t.is(stdout, '');
  t.regex(stderr, /^The database \(127\.0\.0\.1:1\/none\) cannot be used: [^\n]+\n$/);
  t.notRegex(stderr, /hidden/);
});

const suggestionsFor = async (...words: string[]) => {
  const { stdout } = await spawnCommand(nowhere, 'complete', '--', ...words).ended;
  return stdout
    .split('\n')
    .filter((line) => line && !line.startsWith(':'))
    .map((line) => line.split('\t')[0]);
};

test('suggests commands, their subcommands, options and choices, and nothing hidden', async (t) => {
  const [commands, subcommands, options, choices, shells] = await Promise.all([
    suggestionsFor(''),
    suggestionsFor('keys', ''),
    suggestionsFor('keys', 'create', '--'),
    suggestionsFor('keys', 'create', '--mode', ''),
    suggestionsFor('completion', ''),
  ]);

  const groups = ['completion', 'deliveries', 'help', 'keys', 'ledger', 'merchants', 'payments', 'refunds', 'secrets'];
  t.deepEqual(commands.toSorted(), [...groups, 'transfers', 'users', 'webhooks', ...developerCommands].toSorted());
  t.deepEqual(subcommands, ['create', 'list', 'roll', 'revoke', 'help']);
  t.deepEqual(options, ['--mode', '--merchant', '--scopes', '--name', '--help', '--json']);
  t.deepEqual(choices, ['test', 'live']);
  t.deepEqual(shells, ['bash', 'zsh', 'fish']);
});

test('the script of a shell is printed', async (t) => {
  const { code, stdout } = await spawnCommand(nowhere, 'completion', 'bash').ended;

  t.is(code, 0);
  t.regex(stdout, /complete -F __tillhook_complete tillhook/);
});

test('an unknown shell is refused with exit 2', async (t) => {
  const { code, stderr } = await runTillhook(nowhere, 'completion', 'tcsh');

  t.is(code, 2);
  t.regex(stderr, /Allowed choices are bash, zsh, fish\./);
});
