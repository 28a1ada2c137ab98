import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { developerCommands } from '@tillhook/server/src/cli/main.ts';
import test from 'ava';
import { parse } from 'csv-parse/sync';
import { createTestDatabase } from '../support/database/database.ts';
import { paidMerchant } from '../support/money/refunds.ts';
import { runAtTerminal, runTillhook, spawnCommand } from '../support/server/command.ts';
import { serverWithoutWorker } from '../support/server/tillhook.ts';

const database = await createTestDatabase();
test.after.always(() => database.drop());
const env = { DATABASE_URL: database.url };

/**
 * The settings name an unreachable database. So a command with wrong arguments fails before it connects, and a command
 * with right arguments fails when it connects.
 */
const nowhere = {
  DATABASE_URL: 'postgres://nobody:hidden@127.0.0.1:1/none',
  MASTER_KEYS: `a:${Buffer.alloc(32).toString('base64')}`,
};

interface Page {
  path: string[];
  help: string;
  subcommands: string[];
}

async function pagesOf(path: string[] = []): Promise<Page[]> {
  const { code, stdout: help } = await runTillhook({}, ...path, '--help');
  if (code !== 0) throw new Error(`tillhook ${path.join(' ')} --help exited with ${code}.`);
  const [, listed = ''] = /^Commands:\n((?: .*\n)+)/m.exec(help) ?? [];
  const names = [...listed.matchAll(/^ {2}([a-z-]+)/gm)].flatMap(([, name]) => (name && name !== 'help' ? [name] : []));
  const below = await Promise.all(names.map((name) => pagesOf([...path, name])));
  return [{ path, help, subcommands: names }, ...below.flat()];
}

const pages = pagesOf();

const wordsOf = (line: string) =>
  [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '');

test('the help of each command has a description, an example that the command understands, and the exit codes', async (t) => {
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

test('the help names exactly the commands for developers that the program runs', async (t) => {
  const { stdout } = await runTillhook({}, '--help');

  const program = await readFile(new URL('../../server/bin/developer-program.js', import.meta.url), 'utf8');
  const led = /developerCommands = \[(.*)\]/.exec(program)?.[1]?.replaceAll("'", '').split(', ');
  t.deepEqual(developerCommands, led);
  t.regex(
    stdout,
    /^ {2}listen, trigger, advance, verify, events, resend and replay,\n {2}such as: tillhook listen --help$/m,
  );
  t.notRegex(stdout, /npx @tillhook/, 'the package is in no registry, so npx cannot find it');
});

test('--version prints the version of the package', async (t) => {
  const file = new URL('../../server/package.json', import.meta.url);
  const { version } = JSON.parse(await readFile(file, 'utf8'));

  t.deepEqual(await runTillhook({}, '--version'), { code: 0, stdout: `${version}\n`, stderr: '' });
});

test('a command that is run without options names all options that it requires, and its help marks the same options', async (t) => {
  const marked: Record<string, string[]> = {};
  for (const { path, help, subcommands } of await pages) {
    if (subcommands.length > 0 || path.length === 0) continue;
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

test('a command with wrong arguments exits with 2 and prints the reason', async (t) => {
  const { code, stdout, stderr } = await spawnCommand(nowhere, 'keys', 'create', '--mode', 'real').ended;

  t.deepEqual([code, stdout], [2, '']);
  t.regex(stderr, /Allowed choices are test, live\./);
});

test('with an unreachable database, a command prints one line without the password, and exits with 1', async (t) => {
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

test('completion suggests commands, their subcommands, options and choices, and nothing hidden', async (t) => {
  const [commands, subcommands, options, choices, shells] = await Promise.all([
    suggestionsFor(''),
    suggestionsFor('keys', ''),
    suggestionsFor('keys', 'create', '--'),
    suggestionsFor('keys', 'create', '--mode', ''),
    suggestionsFor('completion', ''),
  ]);

  const groups = ['completion', 'deliveries', 'help', 'keys', 'ledger', 'mails', 'merchants', 'payments', 'refunds'];
  t.deepEqual(
    commands.toSorted(),
    [...groups, 'secrets', 'transfers', 'users', 'webhooks', ...developerCommands].toSorted(),
  );
  t.deepEqual(subcommands, ['create', 'list', 'roll', 'revoke', 'help']);
  t.deepEqual(options, ['--mode', '--merchant', '--scopes', '--name', '--help', '--json']);
  t.deepEqual(choices, ['test', 'live']);
  t.deepEqual(shells, ['bash', 'zsh', 'fish']);
});

const scripts = {
  bash: /complete -F __tillhook_complete tillhook/,
  zsh: /compdef /,
  fish: /complete -c tillhook/,
};

for (const [shell, script] of Object.entries(scripts)) {
  test(`\`completion\` prints the completion script of ${shell}`, async (t) => {
    const { code, stdout } = await spawnCommand(nowhere, 'completion', shell).ended;

    t.is(code, 0);
    t.regex(stdout, script);
  });
}

test('completion for an unknown shell is refused, and the command exits with 2', async (t) => {
  const { code, stderr } = await runTillhook(nowhere, 'completion', 'tcsh');

  t.is(code, 2);
  t.regex(stderr, /Allowed choices are bash, zsh, fish\./);
});

const longName = '東京のとても長い名前のお店、そしてもう一つの店';
const esc = '\u001b';
const colors = new RegExp(`${esc}\\[[0-9;]*m`, 'g');

/** A Japanese character takes two columns of a terminal. */
const widthOf = (text: string) => [...text].reduce((width, each) => width + (each >= '\u3000' ? 2 : 1), 0);

async function createMerchant(): Promise<string> {
  const made = await runTillhook(env, 'merchants', 'create', '--name', longName, '--currency', 'JPY', '--json');
  return JSON.parse(made.stdout).id;
}

async function createSuspended(): Promise<string> {
  const id = await createMerchant();
  await runTillhook(env, 'merchants', 'suspend', id);
  return id;
}

test.serial(
  'in a terminal, a table fits the width, ids stay complete, and wide characters keep the columns aligned',
  async (t) => {
    const id = await createSuspended();

    const { stdout } = await runAtTerminal(80, env, 'merchants', 'list');

    const lines = stdout.replace(colors, '').trimEnd().split('\n');
    t.deepEqual(
      lines.filter((line) => widthOf(line) > 80),
      [],
    );
    const row = lines.find((line) => line.startsWith(id)) ?? '';
    t.regex(row, /東京.*…/);
    const column = widthOf((lines[0] ?? '').split('CURRENCY')[0] ?? '');
    t.is(widthOf(row.split('JPY')[0] ?? ''), column);
  },
);

test.serial('in a terminal of 40 columns, each row is a block of lines', async (t) => {
  const id = await createSuspended();

  const { stdout } = await runAtTerminal(40, env, 'merchants', 'list');

  const lines = stdout.replace(colors, '').split('\n');
  t.true(lines.includes(`ID            ${id}`));
  t.true(lines.includes('STATUS        suspended'));
  const cut = lines.find((line) => line.startsWith('NAME') && line.endsWith('…')) ?? '';
  t.true(widthOf(cut) > 30 && widthOf(cut) <= 40, cut);
});

test.serial('when stdout is not a terminal, output is neither truncated nor coloured, as scripts expect', async (t) => {
  const id = await createSuspended();

  const { stdout } = await runTillhook(env, 'merchants', 'list');

  t.notRegex(stdout, colors);
  t.regex(stdout, new RegExp(`^${id}  ${longName}  JPY +JPY 0 +suspended$`, 'm'));
});

test.serial('NO_COLOR turns colours off, FORCE_COLOR turns them on, and NO_COLOR wins over FORCE_COLOR', async (t) => {
  await createSuspended();
  const shown = async (more: Record<string, string>) =>
    (await runAtTerminal(200, { ...env, ...more }, 'merchants', 'list')).stdout;

  t.true((await shown({})).includes(`${esc}[31msuspended${esc}[39m`));
  t.notRegex(await shown({ NO_COLOR: '1' }), colors);
  t.notRegex(await shown({ TERM: 'dumb' }), colors);
  t.notRegex(await shown({ NO_COLOR: '1', FORCE_COLOR: '1' }), colors);
  const forced = await runTillhook({ ...env, FORCE_COLOR: '1' }, 'merchants', 'list');
  t.regex(forced.stdout, colors);
  const json = await runAtTerminal(200, env, 'merchants', 'list', '--json');
  t.notThrows(() => JSON.parse(json.stdout));
});

test.serial('control characters in the data of merchants are replaced before they reach a terminal', async (t) => {
  const id = await createMerchant();
  await database.query('update merchant set name = $2 where id = $1', [id, `Ada${esc}[2J\u202eevil`]);

  const { stdout } = await runAtTerminal(200, { ...env, NO_COLOR: '1' }, 'merchants', 'list');

  t.regex(stdout, new RegExp(`^${id}  Ada�\\[2J�evil `, 'm'));
});

test.serial('when the reader of a pipe closes it, the command exits with 0 and prints nothing more', async (t) => {
  await database.query(
    `insert into merchant (id, name, currency, created_at)
     select gen_random_uuid(), repeat('Ada ', 25) || number, 'NGN', now() from generate_series(1, 2000) as number`,
  );
  const command = fileURLToPath(new URL('../../server/bin/tillhook.js', import.meta.url));
  const { PATH = '', HOME = '' } = process.env;
  const child = spawn(process.execPath, [command, 'merchants', 'list'], { env: { PATH, HOME, ...env } });
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  child.stdout.once('data', () => child.stdout.destroy());

  const code = await new Promise((resolve) => child.on('close', resolve));

  t.deepEqual([code, stderr], [0, '']);
});

/** A server that runs no jobs, so that refunds stay pending. */
const server = serverWithoutWorker();
const on = (group: string, ...args: string[]) => runTillhook({ DATABASE_URL: server().database.url }, group, ...args);
const payments = (...args: string[]) => on('payments', ...args);
const refunds = (...args: string[]) => on('refunds', ...args);

test('`payments list` shows the matching payments of a merchant, newest first, and with --csv prints all of them as CSV', async (t) => {
  const { id, client } = await server().createMerchant();
  await server().createMerchant();
  for (const reference of ['order-1', 'order-2', 'order-3']) {
    await client.checkout.create({ email: 'ada@example.com', amount: 105, reference, description: '=1' });
  }
  await client.testHelpers.completePayment('order-2');
  await client.payments.cancel('order-3');
  const wanted = ['list', '--mode', 'test', '--merchant', id];

  const shown = await payments(...wanted);
  const file = await payments(...wanted, '--csv', '--json');
  const completed = await payments(...wanted, '--status', 'completed', '--from', '2020-01-01', '--json');

  const inOrder = ['order-3', 'order-2', 'order-1'];
  const lines = shown.stdout.trim().split('\n');
  t.deepEqual(
    lines.slice(1).map((line) => line.split(/ +/).slice(0, 4).join(' ')),
    ['order-3 expired NGN 1.05', 'order-2 completed NGN 1.05', 'order-1 pending NGN 1.05'],
  );
  const rows: Record<string, string>[] = parse(file.stdout, { columns: true, record_delimiter: '\r\n' });
  t.deepEqual(
    rows.map(({ reference }) => reference),
    inOrder,
  );
  t.like(rows[0], { description: "'=1", amountDecimal: '1.05' });
  t.deepEqual(
    JSON.parse(completed.stdout).map((payment: { reference: string }) => payment.reference),
    ['order-2'],
  );
  t.regex((await payments(...wanted, '--to', '2020-01-01')).stderr, /No payment matches/);
});

test('`payments list` requires a mode, a merchant if there are several, and valid times', async (t) => {
  const { id } = await server().createMerchant();
  await server().createMerchant();

  t.is((await payments('list')).code, 2);
  t.is((await payments('list', '--mode', 'test', '--from', 'yesterday', '--merchant', id)).code, 2);
  const unnamed = await payments('list', '--mode', 'test');
  t.is(unnamed.code, 1);
  t.regex(unnamed.stderr, /more than one merchant/);
});

test('`refunds list` shows the matching refunds of a merchant, newest first, and `refunds show` prints one refund', async (t) => {
  const { id, client } = await paidMerchant(server(), 1000);
  await client.refunds.create('order-1042', { amount: 105, reference: 'refund-1' });
  await client.refunds.create('order-1042', { amount: 200, reference: 'refund-2', reason: 'Late' });
  const of = ['--mode', 'test', '--merchant', id];

  const shown = await refunds('list', ...of);
  const failed = await refunds('list', ...of, '--status', 'failed');
  const one = await refunds('show', 'refund-2', ...of);
  const asJson = await refunds('show', 'refund-2', ...of, '--json');
  const missing = await refunds('show', 'refund-3', ...of);

  t.deepEqual(
    shown.stdout
      .trim()
      .split('\n')
      .slice(1)
      .map((line) => line.split(/ +/).slice(0, 6).join(' ')),
    ['refund-2 order-1042 pending NGN 2.00 api', 'refund-1 order-1042 pending NGN 1.05 api'],
  );
  t.regex(failed.stderr, /No refund matches/);
  t.regex(one.stdout, /^reason +Late$/m);
  t.like(JSON.parse(asJson.stdout), { reference: 'refund-2', amount: 200, origin: 'api' });
  t.is(missing.code, 1);
});

test('`refunds list` requires a mode', async (t) => {
  t.is((await refunds('list')).code, 2);
});
