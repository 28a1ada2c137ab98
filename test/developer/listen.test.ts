import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Tillhook } from '@tillhook/sdk';
import { unwrap } from '@tillhook/sdk/webhooks';
import test from 'ava';
import { eventually } from '../support/eventually.ts';
import { receiverFor } from '../support/receivers/receiver.ts';
import { environmentOf, spawnDeveloper, startListen } from '../support/server/developer.ts';
import { serverForFile, type TestMerchant } from '../support/server/tillhook.ts';

const server = serverForFile();

async function pay({ client }: TestMerchant, reference: string): Promise<void> {
  await client.checkout.create({ email: 'ada@example.com', amount: 700, reference });
  await client.test.completePayment(reference);
}

test('a webhook from listen has the bytes and headers of a delivery, and is signed with the secret that listen prints', async (t) => {
  const merchant = await server().createMerchant();
  const receiver = await receiverFor(t);
  const endpoint = await merchant.client.webhookEndpoints.register({ url: receiver.url });
  const local = await receiverFor(t);
  const listen = await startListen(t, { env: environmentOf(server(), merchant), args: ['--forward-to', local.url] });

  await pay(merchant, 'order-1042');

  const [[delivered], [posted]] = [await receiver.waitFor(1, 60_000), await local.waitFor(1, 60_000)];
  const id = '00000000-0000-7000-8000-000000000001';
  t.is(String(posted?.body), String(delivered?.body).replace(endpoint.id, id));
  t.deepEqual(Object.keys(posted?.headers ?? {}).sort(), Object.keys(delivered?.headers ?? {}).sort());
  t.like(posted?.headers, {
    'x-service-event': 'checkout.success',
    'x-service-webhook-id': id,
    'x-service-attempt': '1',
  });
  t.is(posted?.headers['webhook-id'], delivered?.headers['webhook-id']);
  const secret = /secret +(whsec_\S+)/.exec(listen.output.stdout)?.[1] ?? '';
  t.like(await unwrap(posted?.body ?? '', posted?.headers ?? {}, secret), { event: 'checkout.success' });
  await listen.printed(/^\d\d:\d\d:\d\d ✓ checkout\.success +200 +order-1042 +\d+ ms$/m);
});

test('after Ctrl-C, listen prints a summary and exits with code 0', async (t) => {
  const merchant = await server().createMerchant();
  const local = await receiverFor(t);
  const listen = await startListen(t, { env: environmentOf(server(), merchant), args: ['--forward-to', local.url] });
  await pay(merchant, 'order-1042');
  await listen.printed('✓');

  listen.interrupt();

  const { code, stdout, stderr } = await listen.ended;
  t.is(code, 0, stderr);
  t.regex(stdout, /\n1 received, 1 forwarded, 0 failed\.\n$/);
});

test('listen has the same secret at each start and another secret for each API key, and --secret overrides the secret', async (t) => {
  const [merchant, other] = [await server().createMerchant(), await server().createMerchant()];
  const given = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
  const secretOf = async (env: Readonly<Record<string, string>>, ...args: string[]) => {
    const { output } = await startListen(t, { env, args: ['--forward-to', 'localhost:4/x', '--json', ...args] });
    return JSON.parse(output.stdout).secret;
  };

  const first = await secretOf(environmentOf(server(), merchant));

  t.regex(first, /^whsec_[\w+/]{43}=$/);
  t.is(await secretOf(environmentOf(server(), merchant)), first);
  t.not(await secretOf(environmentOf(server(), other)), first);
  t.is(await secretOf(environmentOf(server(), merchant), '--secret', given), given);
  t.is(await secretOf({ ...environmentOf(server(), merchant), WEBHOOK_SECRET: given }), given);
});

test('without --forward-to, listen prints the selected events with their bodies and posts no event', async (t) => {
  const merchant = await server().createMerchant();
  const args = ['--events', 'checkout.success,checkout.expired', '--print-json'];
  const listen = await startListen(t, { env: environmentOf(server(), merchant), args });
  const { client } = merchant;
  await client.checkout.create({ email: 'ada@example.com', amount: 700, reference: 'order-1' });
  await client.test.failPayment('order-1');
  await pay(merchant, 'order-2');

  await listen.printed('"customerEmail"');

  t.regex(listen.output.stdout, /• checkout\.success +completed +order-2/);
  t.notRegex(listen.output.stdout, /order-1\b|secret/);
  t.regex(listen.output.stdout, /^ {4}"amount": 700,$/m);
});

test('by default listen begins with new events, and --since makes it begin at a time or after an event', async (t) => {
  const merchant = await server().createMerchant();
  for (const reference of ['order-1', 'order-2', 'order-3']) await pay(merchant, reference);
  // Under load, the last event appears in the list shortly after its payment.
  const { events } = await eventually(
    () => merchant.client.events.list({ order: 'asc' }),
    (page) => page.events.length === 3,
  );
  const env = environmentOf(server(), merchant);
  const begun = async (...args: string[]) => {
    const listen = await startListen(t, { env, args: ['--json', ...args] });
    const later = `later-${args.at(-1)?.length ?? 0}`;
    await pay(merchant, later);
    await listen.printed(`"reference":"${later}"`);
    listen.interrupt();
    const lines = (await listen.ended).stdout.trim().split('\n').slice(1, -1);
    return lines.map((line) => JSON.parse(line).reference).filter((reference) => !reference.startsWith('later'));
  };

  t.deepEqual(await begun(), []);
  t.deepEqual(await begun('--since', '1h'), ['order-1', 'order-2', 'order-3']);
  t.deepEqual(await begun('--since', events[0]?.id ?? ''), ['order-2', 'order-3']);
});

test('each of two instances of listen gets every event', async (t) => {
  const merchant = await server().createMerchant();
  const receivers = [await receiverFor(t), await receiverFor(t)];
  for (const { url } of receivers) {
    await startListen(t, { env: environmentOf(server(), merchant), args: ['--forward-to', url] });
  }

  for (const reference of ['order-1', 'order-2', 'order-3']) await pay(merchant, reference);

  for (const receiver of receivers) {
    const deliveries = await receiver.waitFor(3, 60_000);
    const references = deliveries.map(({ body }) => JSON.parse(String(body)).data.reference);
    t.deepEqual(references.sort(), ['order-1', 'order-2', 'order-3']);
  }
});

test('the lines of listen fit a terminal of 40 columns, and are coloured only in a terminal', async (t) => {
  const merchant = await server().createMerchant();
  const local = await receiverFor(t);
  const args = ['--forward-to', local.url];
  const narrow = await startListen(t, { env: environmentOf(server(), merchant), args, columns: 40 });
  const file = await startListen(t, { env: environmentOf(server(), merchant), args });
  const plain = { ...environmentOf(server(), merchant), NO_COLOR: '1' };
  const withoutColour = await startListen(t, { env: plain, args, columns: 40 });

  await pay(merchant, 'order-with-a-long-reference-1042');

  for (const listen of [narrow, file, withoutColour]) await listen.printed('✓');
  const escapeCode = '\u001b';
  const colours = new RegExp(`${escapeCode}\\[\\d+m`, 'g');
  const line = narrow.output.stdout.split('\n').find((text) => text.includes('✓')) ?? '';
  t.regex(line, colours);
  t.regex(line.replaceAll(colours, ''), /^\d\d:\d\d ✓ checkout\.success +200 order-.*…$/);
  t.true(line.replaceAll(colours, '').length <= 40, line);
  t.false(file.output.stdout.includes(escapeCode));
  t.false(withoutColour.output.stdout.includes(escapeCode));
});

// These tests start the commands as separate processes, because signals and pipes need real processes.

async function payAs(client: Tillhook, reference: string): Promise<void> {
  await client.checkout.create({ email: 'ada@example.com', amount: 700, reference });
  await client.test.completePayment(reference);
}

async function spawnedListen(t: Parameters<typeof spawnDeveloper>[0], merchant: TestMerchant, ...args: string[]) {
  const listen = spawnDeveloper(t, environmentOf(server(), merchant), 'listen', ...args);
  await listen.printed(/Listening|"ready"/);
  return listen;
}

test('after Ctrl-C, listen prints a summary and exits with code 0, even while its receiver hangs', async (t) => {
  const merchant = await server().createMerchant();
  const local = await receiverFor(t);
  local.setAnswer(() => 'hang');
  const listen = await spawnedListen(t, merchant, '--forward-to', local.url);
  await payAs(merchant.client, 'order-1042');
  await local.waitFor(1, 60_000);

  listen.interrupt();
  // npm and the terminal both send the signal, so a single Ctrl-C sends the signal twice.
  listen.interrupt();

  const { code, stdout, stderr } = await listen.ended;
  t.is(code, 0, stderr);
  t.regex(stdout, /\n1 received, 0 forwarded, 0 failed, 1 unfinished\.\n/);
  t.is(stderr, '');
});

test('a second Ctrl-C ends a command immediately if the command is still running', async (t) => {
  const merchant = await server().createMerchant();
  // Keeps the process of `listen` alive, because the interval never ends.
  const NODE_OPTIONS = '--import=data:text/javascript,setInterval(()=>{},1e9)';
  const listen = spawnDeveloper(t, { ...environmentOf(server(), merchant), NODE_OPTIONS }, 'listen');
  await listen.printed('Listening');

  listen.interrupt();
  await listen.printed('0 received');
  await sleep(400);
  listen.interrupt();

  t.is((await listen.ended).code, 130);
});

test('listen exits without an error when its output pipe is closed', async (t) => {
  const merchant = await server().createMerchant();
  const listen = await spawnedListen(t, merchant, '--json');
  listen.child.stdout?.destroy();
  const ended = once(listen.child, 'exit');

  await payAs(merchant.client, 'order-1042');

  const [code] = await ended;
  t.is(code, 0);
  t.is(listen.output.stderr, '');
});

test('commands other than listen complete their work when their output pipe is closed', async (t) => {
  const merchant = await server().createMerchant();
  const trigger = spawnDeveloper(t, environmentOf(server(), merchant), 'trigger', 'checkout.success');
  trigger.child.stdout?.destroy();

  const [code] = await once(trigger.child, 'exit');

  t.is(code, 0);
  t.is((await merchant.client.events.list({ event: ['checkout.success'] })).total, 1);
});
