/** Commands as separate processes: signals and pipes. */
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Tillhook } from '@tillhook/sdk';
import test from 'ava';
import { receiverFor } from '../support/receivers/receiver.ts';
import { environmentOf, spawnDeveloper } from '../support/server/developer.ts';
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
