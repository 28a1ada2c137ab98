import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import test from 'ava';
import { developerWords } from '../../mock/src/developer/program.ts';
import { spokenCommandAt } from '../../mock/src/developer/spoken-command.ts';
import { runDeveloper, spawnDeveloper } from '../support/server/developer.ts';

const root = new URL('../../', import.meta.url);
const commands = ['listen', 'trigger', 'advance', 'verify', 'events', 'deliveries', 'resend', 'replay'];

test('each command has a help with an example and the exit codes, and an npm script', async (t) => {
  const { scripts } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8'));
  for (const command of commands) {
    const help = await runDeveloper({}, command, '--help');
    const script = command === 'verify' ? 'verify:webhook' : command;
    t.is(help.code, 0);
    t.regex(help.stdout, new RegExp(`^Usage: npm run ${script} -- `));
    t.regex(help.stdout, new RegExp(`\nExample:\n {2}npm run ${script} -- \\S`));
    t.regex(help.stdout, /Exit codes: 0 done; 1 failed/);
    t.is(scripts[script], `node --conditions=@tillhook/source mock/src/commands/developer.ts ${command}`);
    t.true(developerWords.includes(command));
  }
});

test('the program says its version and its commands, and refuses others', async (t) => {
  const [version, help, unknown] = await Promise.all(
    [['--version'], ['--help'], ['lisen']].map((args) => runDeveloper({}, ...args)),
  );

  t.regex(version?.stdout ?? '', /^\d+\.\d+\.\d+\n$/);
  for (const command of commands) t.regex(help?.stdout ?? '', new RegExp(`^ {2}${command} `, 'm'));
  t.regex(unknown?.stderr ?? '', /unknown command 'lisen'\s+\(Did you mean listen\?\)/);
  t.deepEqual([version?.code, help?.code, unknown?.code], [0, 0, 2]);
});

test('a command is spoken as the user can type it', (t) => {
  const installed = 'file:///shop/node_modules/@tillhook/mock/dist/commands/developer.mjs';
  const source = 'file:///tillhook/mock/src/developer/spoken-command.ts';

  t.is(
    spokenCommandAt({ moduleUrl: installed, program: '/shop/node_modules/.bin/mock' }, 'verify'),
    'npx @tillhook/mock verify',
  );
  t.is(
    spokenCommandAt({ moduleUrl: source, program: '/tillhook/mock/src/commands/developer.ts' }, 'verify'),
    'npm run verify:webhook --',
  );
  t.is(
    spokenCommandAt({ moduleUrl: source, program: '/tillhook/node_modules/.bin/tillhook' }, 'verify'),
    'npx tillhook verify',
  );
});

for (const shell of ['bash', 'zsh', 'fish']) {
  test(`there is a completion for ${shell}`, async (t) => {
    const { code, stdout } = await spawnDeveloper(t, {}, 'completion', shell).ended;

    t.is(code, 0);
    t.regex(stdout, new RegExp(`${shell} completion for mock`));
  });
}

test('the completion knows the commands, their options and the events', async (t) => {
  const completed = async (...words: string[]) =>
    (await spawnDeveloper(t, {}, 'complete', '--', ...words).ended).stdout;

  t.regex(await completed('tri'), /^trigger\t/);
  t.regex(await completed('listen', '--for'), /^--forward-to\t/);
  t.regex(await completed('trigger', 'checkout.s'), /^checkout\.success/);
});

test('npx tillhook leads to each command', async (t) => {
  const bin = fileURLToPath(new URL('server/bin/tillhook.js', root));
  for (const command of ['listen', 'verify']) {
    const child = spawn(process.execPath, [bin, command, '--help']);
    let stdout = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text;
    });
    const code = await new Promise((resolve) => child.on('close', resolve));
    t.is(code, 0);
    t.true(stdout.startsWith('Usage: '), stdout);
  }
});
