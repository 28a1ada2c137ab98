import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import test from 'ava';
import { createTestDatabase } from '../support/database/database.ts';
import { runAtTerminal, runTillhook } from '../support/server/command.ts';

const database = await createTestDatabase();
test.after.always(() => database.drop());
const env = { DATABASE_URL: database.url };

const longName = '東京のとても長い名前のお店、そしてもう一つの店';
const esc = '\u001b';
const colors = new RegExp(`${esc}\\[[0-9;]*m`, 'g');

/** The columns that a text takes at a terminal: Japanese characters take two each. */
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
  'at a terminal a table fits its width, ids stay complete, and wide characters keep the columns',
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

test.serial('a terminal of 40 columns gets a block of lines for each row', async (t) => {
  const id = await createSuspended();

  const { stdout } = await runAtTerminal(40, env, 'merchants', 'list');

  const lines = stdout.replace(colors, '').split('\n');
  t.true(lines.includes(`ID            ${id}`));
  t.true(lines.includes('STATUS        suspended'));
  const cut = lines.find((line) => line.startsWith('NAME') && line.endsWith('…')) ?? '';
  t.true(widthOf(cut) > 30 && widthOf(cut) <= 40, cut);
});

test.serial('where there is no terminal nothing is cut or coloured, as scripts expect', async (t) => {
  const id = await createSuspended();

  const { stdout } = await runTillhook(env, 'merchants', 'list');

  t.notRegex(stdout, colors);
  t.regex(stdout, new RegExp(`^${id}  ${longName}  JPY +JPY 0 +suspended$`, 'm'));
});

test.serial('NO_COLOR takes colours away, FORCE_COLOR brings them, and NO_COLOR wins', async (t) => {
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

test.serial('control characters of merchants are replaced before they reach a terminal', async (t) => {
  const id = await createMerchant();
  await database.query('update merchant set name = $2 where id = $1', [id, `Ada${esc}[2J\u202eevil`]);

  const { stdout } = await runAtTerminal(200, { ...env, NO_COLOR: '1' }, 'merchants', 'list');

  t.regex(stdout, new RegExp(`^${id}  Ada�\\[2J�evil `, 'm'));
});

test.serial('a reader that closes the pipe ends the command quietly, with 0', async (t) => {
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
