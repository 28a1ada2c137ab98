/** Each test continues where the previous test stopped, because each start costs seconds of processor time. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Tillhook } from '@tillhook/sdk';
import test from 'ava';
import { eventually } from '../support/eventually.ts';
import { payByForm } from '../support/money/hosted-page.ts';
import { startReceiver } from '../support/receivers/receiver.ts';
import { runTillhook, spawnCommand } from '../support/server/command.ts';
import { createDataDir } from '../support/server/data-dir.ts';
import { spawnTillhook, type TillhookProcess } from '../support/server/process.ts';

// The receiver is started here, because ava requires that all hooks are declared synchronously.
const receiver = await startReceiver({ answer: () => 'hang' });
const ends = new AsyncDisposableStack();
test.after.always(() => ends.disposeAsync());
const untilTheEnd = { teardown: (end: () => void) => ends.defer(end) };
const DATA_DIR = createDataDir(untilTheEnd);
const env = {
  DATA_DIR,
  DELIVERY_TIMEOUT_MS: '1000',
  DELIVERY_CONNECT_TIMEOUT_MS: '1000',
  DELIVERY_LEASE_MS: '2000',
  // The first delivery may reach its retry, and have failed attempts, before all five payments are made and the server
  // is killed.
  DELIVERY_RETRY_DELAYS_MS: '2000,2000,2000',
};

let server: TillhookProcess;
let key = '';
let references: string[] = [];
ends.defer(() => receiver.stop());

const clientOf = async () => new Tillhook(key, { baseUrl: await server.line('api ') });
const referenceIn = ({ body }: { body: Buffer }): string => JSON.parse(String(body)).data.reference;
const linesOf = (stdout: string) =>
  stdout
    .trim()
    .split('\n')
    .map((line) => line.replace(/ (http|sk_|\S+@).*/, ''));

test.serial('the first start prints its addresses, the demo key and the demo sign-in', async (t) => {
  server = spawnTillhook(untilTheEnd, env);
  key = await server.line('test key ');
  await server.line('sign in ');
  await server.line('ready');

  const client = await clientOf();
  await client.checkout.create({ email: 'ada@example.com', amount: 500_000, reference: 'order-1042' });
  t.is((await client.payments.get('order-1042')).status, 'pending');
});

test.serial('a second process does not touch the embedded database of a running process', async (t) => {
  const second = await spawnTillhook(t, { DATA_DIR }).ended;

  t.is(second.code, 1);
  t.regex(second.stderr, /Another process already uses the database/);
  t.is((await fetch(`${await server.line('api ')}/readyz`)).status, 200);
});

test.serial('a command works on the embedded database of a running server', async (t) => {
  const { code, stdout, stderr } = await runTillhook({ DATA_DIR }, 'keys', 'create', '--mode', 'test');

  t.is(code, 0, stderr);
  const api = await server.line('api ');
  const headers = { authorization: `Bearer ${stdout.trim()}` };
  t.is((await fetch(`${api}/api/v1/payments`, { headers })).status, 200);
  t.is((await fetch(`${api}/readyz`)).status, 200);
});

test.serial('after kill −9 a second start with the same data sends the pending deliveries', async (t) => {
  const client = await clientOf();
  await client.webhookEndpoints.register({ url: receiver.url });
  const sessions = await Promise.all(
    Array.from({ length: 5 }, () => client.checkout.create({ email: 'ada@example.com', amount: 1 })),
  );
  await Promise.all(sessions.map(({ data }) => payByForm(data.checkoutUrl, '4242424242424242')));
  references = sessions.map(({ data }) => data.reference).sort();
  await receiver.waitFor(1);

  server.kill('SIGKILL');
  const { stdout } = await server.ended;
  receiver.setAnswer(() => ({ status: 200 }));
  const unanswered = receiver.deliveries.length;
  server = spawnTillhook(untilTheEnd, env);
  await server.line('ready');

  t.deepEqual(linesOf(stdout), ['api', 'dashboard', 'docs', 'mails', 'test key', 'sign in', 'ready']);
  const heard = () => [...new Set(receiver.deliveries.slice(unanswered).map(referenceIn))].sort();
  t.deepEqual(await eventually(heard, references), references);
});

test.serial('a second start keeps all data, and Ctrl-C stops the server and its embedded database', async (t) => {
  t.like(await (await clientOf()).payments.get('order-1042'), { amount: 500_000, status: 'pending' });

  server.kill('SIGINT');
  const { code, stdout } = await server.ended;

  t.is(code, 0);
  t.notRegex(stdout, /sk_test_|sign in /);
  t.regex(stdout, /^ {2}npx tillhook keys create --mode test$/m);
  t.regex(stdout, /^ {2}npx tillhook users reset-password --email demo@example\.com$/m);
  t.false(existsSync(join(DATA_DIR, 'postgres', 'postmaster.pid')));
});

test.serial(
  'two commands without a server share the embedded database, and the command that ends last stops it',
  async (t) => {
    const [keys, merchants] = await Promise.all([
      spawnCommand({ DATA_DIR }, 'keys', 'list', '--json').ended,
      spawnCommand({ DATA_DIR }, 'merchants', 'list', '--json').ended,
    ]);

    t.is(keys.code, 0, keys.stderr);
    t.is(merchants.code, 0, merchants.stderr);
    t.is(JSON.parse(keys.stdout).length, 2);
    t.like(JSON.parse(merchants.stdout), [{ name: 'Demo Store', status: 'active' }]);
    t.false(existsSync(join(DATA_DIR, 'postgres', 'postmaster.pid')));
  },
);

test.serial('a command does not create a missing database', async (t) => {
  const none = createDataDir(t);

  const { code, stderr } = await runTillhook({ DATA_DIR: none }, 'keys', 'list');

  t.is(code, 1);
  t.regex(stderr, /^The embedded database does not start: no database exists in [^\n]+\n$/);
  t.deepEqual(readdirSync(none), []);
});
