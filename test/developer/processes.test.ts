/** Commands as separate processes: signals, pipes, and a service that stops and starts again. */
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { Tillhook } from '@tillhook/sdk';
import test from 'ava';
import { freePort } from '../support/network/free-port.ts';
import { receiverFor } from '../support/receivers/receiver.ts';
import { createDataDir } from '../support/server/data-dir.ts';
import { environmentOf, spawnDeveloper } from '../support/server/developer.ts';
import { spawnTillhook } from '../support/server/process.ts';
import { serverForFile, type TestMerchant } from '../support/server/tillhook.ts';

const server = serverForFile();

async function pay(client: Tillhook, reference: string): Promise<void> {
  await client.checkout.create({ email: 'ada@example.com', amount: 700, reference });
  await client.test.completePayment(reference);
}

async function spawnedListen(t: Parameters<typeof spawnDeveloper>[0], merchant: TestMerchant, ...args: string[]) {
  const listen = spawnDeveloper(t, environmentOf(server(), merchant), 'listen', ...args);
  await listen.printed(/Listening|"ready"/);
  return listen;
}

test('Ctrl-C ends listen with a summary and 0, also while its receiver hangs', async (t) => {
  const merchant = await server().createMerchant();
  const local = await receiverFor(t);
  local.setAnswer(() => 'hang');
  const listen = await spawnedListen(t, merchant, '--forward-to', local.url);
  await pay(merchant.client, 'order-1042');
  await local.waitFor(1, 60_000);

  listen.interrupt();
  // npm and the terminal both send it, so one Ctrl-C comes twice.
  listen.interrupt();

  const { code, stdout, stderr } = await listen.ended;
  t.is(code, 0, stderr);
  t.regex(stdout, /\n1 received, 0 forwarded, 0 failed, 1 unfinished\.\n/);
  t.is(stderr, '');
});

test('a second Ctrl-C ends a command at once that has not ended yet', async (t) => {
  const merchant = await server().createMerchant();
  // A program in the same process that never ends.
  const NODE_OPTIONS = '--import=data:text/javascript,setInterval(()=>{},1e9)';
  const listen = spawnDeveloper(t, { ...environmentOf(server(), merchant), NODE_OPTIONS }, 'listen');
  await listen.printed('Listening');

  listen.interrupt();
  await listen.printed('0 received');
  await sleep(400);
  listen.interrupt();

  t.is((await listen.ended).code, 130);
});

test('a pipe that closes ends listen quietly', async (t) => {
  const merchant = await server().createMerchant();
  const listen = await spawnedListen(t, merchant, '--json');
  listen.child.stdout?.destroy();
  const ended = once(listen.child, 'exit');

  await pay(merchant.client, 'order-1042');

  const [code] = await ended;
  t.is(code, 0);
  t.is(listen.output.stderr, '');
});

test('a pipe that closes stops no other command before its end', async (t) => {
  const merchant = await server().createMerchant();
  const trigger = spawnDeveloper(t, environmentOf(server(), merchant), 'trigger', 'checkout.success');
  trigger.child.stdout?.destroy();

  const [code] = await once(trigger.child, 'exit');

  t.is(code, 0);
  t.is((await merchant.client.events.list({ event: ['checkout.success'] })).total, 1);
});

test('a service that is killed and starts again loses no event and repeats none', async (t) => {
  const env = { DATA_DIR: createDataDir(t), PORT: String(await freePort()) };
  const first = spawnTillhook(t, env);
  const key = await first.line('test key ');
  const baseUrl = await first.line('api ');
  await first.line('ready');
  const client = new Tillhook(key, { baseUrl });
  const local = await receiverFor(t);
  const listen = spawnDeveloper(
    t,
    { TILLHOOK_API_KEY: key, TILLHOOK_BASE_URL: baseUrl },
    ...['listen', '--forward-to', local.url],
  );
  await listen.printed('Listening');
  await pay(client, 'order-1');
  await local.waitFor(1, 60_000);

  first.kill('SIGKILL');
  await first.ended;
  const second = spawnTillhook(t, env);
  await second.line('ready');
  for (const reference of ['order-2', 'order-3']) await pay(client, reference);
  await local.waitFor(3, 60_000);
  listen.interrupt();
  const { stdout, stderr } = await listen.ended;
  second.kill('SIGTERM');
  await second.ended;

  t.deepEqual(
    local.deliveries.map(({ body }) => JSON.parse(String(body)).data.reference),
    ['order-1', 'order-2', 'order-3'],
  );
  t.regex(stdout, /3 received, 3 forwarded, 0 failed/);
  t.regex(
    stderr,
    /^The service does not answer \(.+\)\. Waiting for it; no event is lost\.\nThe service answers again\.\n$/,
  );
});
