import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { readContract } from '@tillhook/openapi';
import test from 'ava';
import { commandLineAt } from '../../mock/src/command-line.ts';
import { developerCommands, developerWords } from '../../mock/src/developer/program.ts';
import { greeting } from '../../mock/src/greeting.ts';
import { runDeveloper, spawnDeveloper } from '../support/server/developer.ts';

const root = new URL('../../', import.meta.url);

/** The list of the server. It is JavaScript without types, because a Node that is too old reads it too. */
const { developerCommands: commandsOfServer }: { developerCommands: string[] } = await import(
  new URL('server/bin/developer-commands.js', root).href
);

test('each command has a help with an example and the exit codes, and an npm script', async (t) => {
  const { scripts } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8'));
  for (const command of developerCommands) {
    const help = await runDeveloper({}, command, '--help');
    const script = command === 'verify' ? 'verify:webhook' : command;
    t.is(help.code, 0);
    t.regex(help.stdout, new RegExp(`^Usage: npm run ${script} -- `));
    t.regex(help.stdout, new RegExp(`\nExample:\n {2}npm run ${script} -- \\S`));
    t.regex(help.stdout, /Exit codes: 0 done; 1 failed.* Ctrl-C\nbefore it was done\. Only listen ends with 0/);
    const ends = command === 'listen' ? '--import=./server/src/parent-end.ts ' : '';
    t.is(scripts[script], `node ${ends}--conditions=@tillhook/source mock/src/commands/developer.ts ${command}`);
    t.true(developerWords.includes(command));
  }
});

test('the program says its version and its commands, and refuses others', async (t) => {
  const [version, help, unknown] = await Promise.all(
    [['--version'], ['--help'], ['lisen']].map((args) => runDeveloper({}, ...args)),
  );

  t.regex(version?.stdout ?? '', /^\d+\.\d+\.\d+\n$/);
  for (const command of developerCommands) t.regex(help?.stdout ?? '', new RegExp(`^ {2}${command} `, 'm'));
  t.regex(unknown?.stderr ?? '', /unknown command 'lisen'\s+\(Did you mean listen\?\)/);
  t.deepEqual([version?.code, help?.code, unknown?.code], [0, 0, 2]);
});

const installed = {
  moduleUrl: 'file:///shop/node_modules/@tillhook/mock/dist/commands/developer.mjs',
  program: '/shop/node_modules/.bin/mock',
};
const source = {
  moduleUrl: 'file:///tillhook/mock/src/command-line.ts',
  program: '/tillhook/mock/src/commands/developer.ts',
};
const operator = { ...source, program: '/tillhook/node_modules/.bin/tillhook' };

const commandLines: [command: string, installed: string, source: string, operator?: string][] = [
  ['listen', 'npx @tillhook/mock listen', 'npm run listen --', 'npx tillhook listen'],
  ['verify', 'npx @tillhook/mock verify', 'npm run verify:webhook --', 'npx tillhook verify'],
  // `npx tillhook deliveries` is the operator's own command.
  ['deliveries', 'npx @tillhook/mock deliveries', 'npm run deliveries --', 'npm run deliveries --'],
  ['mock', 'npx tillhook-mock', 'npm run mock'],
  ['event', 'npx tillhook-mock event', 'npm run mock:event --'],
  ['receiver', 'npx tillhook-receiver', 'npm run receiver --'],
];

for (const [command, ...lines] of commandLines) {
  test(`the command ${command} is shown as the user can type it`, (t) => {
    const shown = [installed, source, operator].map((place) => commandLineAt(place, command));
    t.deepEqual(shown.slice(0, lines.length), lines);
  });
}

test('the greeting of the mock in the repository shows the npm script that sends an event', (t) => {
  t.regex(greeting(readContract().model, 'http://127.0.0.1:4010'), / {2}npm run mock:event -- checkout\.success/);
});

test('the completion knows the commands, their options and the events', async (t) => {
  const completed = async (...words: string[]) =>
    (await spawnDeveloper(t, {}, 'complete', '--', ...words).ended).stdout;

  t.regex(await completed('tri'), /^trigger\t/);
  t.regex(await completed('listen', '--for'), /^--forward-to\t/);
  t.regex(await completed('trigger', 'checkout.s'), /^checkout\.success/);
});

test('npx tillhook leads to each command but deliveries, which is its own', async (t) => {
  t.deepEqual(
    commandsOfServer,
    developerCommands.filter((command) => command !== 'deliveries'),
  );
  t.is(commandsOfServer.length, 7);
  const bin = fileURLToPath(new URL('server/bin/tillhook.js', root));
  const [command = ''] = commandsOfServer;
  const child = spawn(process.execPath, [bin, command, '--help']);
  const [stdout, code] = await Promise.all([text(child.stdout), new Promise((resolve) => child.on('close', resolve))]);
  t.is(code, 0);
  t.true(stdout.startsWith(`Usage: npx tillhook ${command} `), stdout);
});
