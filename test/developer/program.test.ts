import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { readContract } from '@tillhook/openapi';
import test from 'ava';
import { developerCommands, developerWords } from '../../developer/src/program.ts';
import { commandLineAt } from '../../developer/src/terminal/command-line.ts';
import { greeting } from '../../mock/src/commands/greeting.ts';
import { eventually } from '../support/eventually.ts';
import { receiverFor } from '../support/receivers/receiver.ts';
import { environmentOf, runDeveloper, spawnDeveloper, startDeveloper } from '../support/server/developer.ts';
import { serverWithoutRetries, type TestMerchant } from '../support/server/tillhook.ts';

const root = new URL('../../', import.meta.url);

/** The file is JavaScript without types, because a Node that is too old must be able to read it. */
const { developerCommands: commandsOfServer }: { developerCommands: string[] } = await import(
  new URL('server/bin/developer-program.js', root).href
);

test('each command has an npm script, and a help text with an example and the exit codes', async (t) => {
  const { scripts } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8'));
  for (const command of developerCommands) {
    const help = await runDeveloper({}, command, '--help');
    const script = command === 'verify' ? 'verify:webhook' : command;
    t.is(help.code, 0);
    t.regex(help.stdout, new RegExp(`^Usage: npm run ${script} -- `));
    t.regex(help.stdout, new RegExp(`\nExample:\n {2}npm run ${script} -- \\S`));
    t.regex(help.stdout, /Exit codes: 0 done; 1 failed.* Ctrl-C\nbefore it was done\. Only listen ends with 0/);
    const ends = command === 'listen' ? '--import=./server/bin/parent-end.js ' : '';
    t.is(scripts[script], `node ${ends}--conditions=@tillhook/source mock/src/commands/developer.ts ${command}`);
    t.true(developerWords.includes(command));
  }
});

test('the program prints its version and its commands, and rejects unknown commands', async (t) => {
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
  moduleUrl: 'file:///tillhook/developer/src/terminal/command-line.ts',
  program: '/tillhook/mock/src/commands/developer.ts',
};
const operator = { ...source, program: '/tillhook/node_modules/.bin/tillhook' };

const commandLines: [command: string, installed: string, source: string, operator?: string][] = [
  ['listen', 'npx @tillhook/mock listen', 'npm run listen --', 'npx tillhook listen'],
  ['verify', 'npx @tillhook/mock verify', 'npm run verify:webhook --', 'npx tillhook verify'],
  // `npx tillhook deliveries` is another command, for operators.
  ['deliveries', 'npx @tillhook/mock deliveries', 'npm run deliveries --', 'npm run deliveries --'],
  ['mock', 'npx tillhook-mock', 'npm run mock'],
  ['event', 'npx tillhook-mock event', 'npm run mock:event --'],
  ['receiver', 'npx tillhook-receiver', 'npm run receiver --'],
];

for (const [command, ...lines] of commandLines) {
  test(`help texts show the command ${command} as the user can type it`, (t) => {
    const shown = [installed, source, operator].map((place) => commandLineAt(place, command));
    t.deepEqual(shown.slice(0, lines.length), lines);
  });
}

test('the greeting of the mock in the repository shows the npm script that sends an event', (t) => {
  t.regex(greeting(readContract().model, 'http://127.0.0.1:4010'), / {2}npm run mock:event -- checkout\.success/);
});

test('shell completion offers the commands, their options and the events', async (t) => {
  const completed = async (...words: string[]) =>
    (await spawnDeveloper(t, {}, 'complete', '--', ...words).ended).stdout;

  t.regex(await completed('tri'), /^trigger\t/);
  t.regex(await completed('listen', '--for'), /^--forward-to\t/);
  t.regex(await completed('trigger', 'checkout.s'), /^checkout\.success/);
});

test('npx tillhook runs each developer command except deliveries, because npx tillhook has its own command deliveries', async (t) => {
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

const server = serverWithoutRetries();

async function pay({ client }: TestMerchant, reference: string): Promise<void> {
  await client.checkout.create({ email: 'ada@example.com', amount: 700, reference });
  await client.test.completePayment(reference);
}

async function merchantWithFailures(url: string, references: string[]) {
  const merchant = await server().createMerchant();
  const endpoint = await merchant.client.webhookEndpoints.register({ url });
  for (const reference of references) await pay(merchant, reference);
  const failed = await eventually(
    async () => (await merchant.client.deliveries.list({ status: ['failed'], order: 'asc' })).deliveries,
    ({ length }) => length === references.length,
  );
  return { merchant, endpoint, failed, env: environmentOf(server(), merchant) };
}

test('`events` lists events as a table or as JSON', async (t) => {
  const merchant = await server().createMerchant();
  const env = environmentOf(server(), merchant);
  for (const reference of ['order-1', 'order-2', 'order-3']) await pay(merchant, reference);

  const table = await runDeveloper(env, 'events', '--limit', '2');
  const json = await runDeveloper(env, 'events', '--reference', 'order-1', '--json');
  const none = await runDeveloper(env, 'events', '--events', 'refund.failed');

  const { events } = await merchant.client.events.list();
  const [headings, ...rows] = table.stdout.trimEnd().split('\n');
  t.regex(headings ?? '', /^event +id +time +reference +deliveries$/);
  t.deepEqual(
    rows.map((row) => row.split(/ {2,}/).slice(0, 2)),
    events.slice(0, 2).map(({ event, id }) => [event, id]),
  );
  t.like(JSON.parse(json.stdout), { 0: { reference: 'order-1' }, length: 1 });
  t.regex(none.stderr, /No event matches/);
  t.deepEqual([table.code, json.code, none.code], [0, 0, 0]);
});

test('in a narrow terminal, a table has fewer columns or becomes a list of fields, and ids are never truncated', async (t) => {
  const merchant = await server().createMerchant();
  const env = environmentOf(server(), merchant);
  await pay(merchant, 'order-1042');
  const { events } = await merchant.client.events.list();
  const shown = async (columns: number) => {
    const { stdout } = await startDeveloper({ env: { ...env, NO_COLOR: '1' }, args: ['events'], columns }).ended;
    const maxLength = Math.max(...stdout.split('\n').map(({ length }) => length));
    t.true(maxLength <= columns, `${maxLength} > ${columns}\n${stdout}`);
    t.true(stdout.includes(events[0]?.id ?? 'none'), stdout);
    return stdout;
  };

  t.regex(await shown(120), /^event +id +time +reference/);
  t.regex(await shown(80), /^event +id +time\n/);
  t.regex(await shown(40), /^event +checkout\.success\nid\n\S{36}\ntime +20/);
});

test('`deliveries` lists deliveries, or shows a delivery with its body and its attempts', async (t) => {
  const local = await receiverFor(t);
  local.setAnswer(() => ({ status: 503, body: 'on\u0007fire \u009b31m' }));
  const { failed, env } = await merchantWithFailures(local.url, ['order-1']);
  const id = failed[0]?.id ?? '';

  const list = await runDeveloper(env, 'deliveries', '--status', 'failed,pending');
  const detail = await runDeveloper(env, 'deliveries', id);
  const json = await runDeveloper(env, 'deliveries', id, '--json');
  const unknown = await runDeveloper(env, 'deliveries', '019aa3c7-0a1e-7c52-8f3a-1b2c3d4e5f60');

  t.regex(list.stdout, new RegExp(`^status .*\nfailed +checkout\\.success +${id} +1 `));
  t.regex(detail.stdout, /\nbody\n {2}\{"event":"checkout\.success"/);
  t.regex(detail.stdout, /✗ attempt 1: 503 in \d+ ms.*\nrequest\n {2}Content-Type: application\/json\n/);
  t.regex(detail.stdout, /\n {2}on�fire �31m\n/);
  t.true(detail.stdout.endsWith(`Again: npm run resend -- ${id}\n`), detail.stdout);
  t.like(JSON.parse(json.stdout), { id, attempts: [{ statusCode: 503 }] });
  t.regex(unknown.stderr, /\(request req_\w+\)\nCheck the id, and the mode of TILLHOOK_API_KEY/);
  t.is(unknown.code, 1);
});

test('`deliveries` explains why a receiver did not respond to a delivery', async (t) => {
  const { failed, env } = await merchantWithFailures('http://127.0.0.1:1/webhooks', ['order-1']);

  const { stdout } = await runDeveloper(env, 'deliveries', failed[0]?.id ?? '');

  t.regex(stdout, /✗ attempt 1: refused in \d+ ms.*\n {2}No program listens at this address: start your receiver\.\n/);
});

test('`resend` repeats a delivery, and `replay` repeats every delivery that an endpoint missed', async (t) => {
  const local = await receiverFor(t);
  local.setAnswer(() => ({ status: 500 }));
  const { failed, env, endpoint } = await merchantWithFailures(local.url, ['order-1', 'order-2']);
  local.setAnswer();

  const resent = await runDeveloper(env, 'resend', failed[0]?.id ?? '');
  await local.waitFor(3, 60_000);
  const replayed = await runDeveloper(env, 'replay', endpoint.id, '--since', '2h', '--json');
  await local.waitFor(4, 60_000);
  const nothing = await runDeveloper(env, 'replay', endpoint.id, '--since', '2h');

  t.regex(resent.stdout, /^The event is sent again: checkout\.success to http:.*, as delivery \S{36}\n$/);
  t.is(JSON.parse(replayed.stdout).count, 1);
  t.regex(nothing.stdout, /^0 deliveries are sent again\n$/);
  t.regex(nothing.stderr, /missed nothing in that time/);
  t.deepEqual([resent.code, replayed.code, nothing.code], [0, 0, 0]);
});

test('a command exits with code 2 when `replay` has no --since or a limit is not a number', async (t) => {
  const env = environmentOf(server(), await server().createMerchant());

  const replay = await runDeveloper(env, 'replay', '019aa3c4-9d1e-7c52-8f3a-1b2c3d4e5f60');
  const limit = await runDeveloper(env, 'events', '--limit', 'all');

  t.deepEqual([replay.code, limit.code], [2, 2]);
  t.regex(replay.stderr, /required option '--since <time>'/);
  t.regex(limit.stderr, /whole number from 1 to 99999/);
});
