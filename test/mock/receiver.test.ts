import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type Receiver, startReceiver } from '@tillhook/mock/receiver';
import { sign } from '@tillhook/sdk/webhooks';
import test, { type ExecutionContext } from 'ava';
import { registerCommand } from '../../mock/src/receiver/lines.ts';
import { eventually } from '../support/eventually.ts';

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const registration = { id: '019aa3c4-9d1e-7c52-8f3a-1b2c3d4e5f60', url: 'http://localhost:4000/webhooks', secret };
const body = JSON.stringify({
  event: 'checkout.success',
  data: {
    reference: 'order-1042',
    amount: 500_000,
    currency: 'NGN',
    status: 'completed',
    customerEmail: 'ada@example.com',
  },
  timestamp: '2026-11-21T10:15:30.000Z',
  webhookId: registration.id,
});

test('the receiver command prints its usage for --help', async (t) => {
  const command = fileURLToPath(
    import.meta.resolve('@tillhook/mock/package.json').replace('package.json', 'src/commands/receiver.ts'),
  );

  const { stdout } = await promisify(execFile)(process.execPath, ['--conditions=@tillhook/source', command, '--help']);

  t.regex(
    stdout,
    /^Usage: npm run receiver -- \[options\][\s\S]*--secret <secret>[\s\S]*--fail <attempts>[\s\S]*RECEIVER_PORT/,
  );
});

test('the receiver records a signed event as verified, with the bytes that were sent', async (t) => {
  const receiver = await start(t, { secrets: [secret] });

  const answer = await send(receiver);

  t.is(answer.status, 200);
  t.is(await answer.text(), 'ok');
  const [delivery] = await receiver.waitFor(1);
  t.is(delivery?.verification, 'verified');
  t.is(delivery?.method, 'POST');
  t.is(delivery?.path, '/webhooks');
  t.is(delivery?.headers['x-service-event'], 'checkout.success');
  t.true(delivery?.body.equals(Buffer.from(body)));
});

test('400 when the body differs from the signed body', async (t) => {
  const receiver = await start(t, { secrets: [secret] });

  const answer = await send(receiver, { body: body.replace('500000', '500001') });

  t.is(answer.status, 400);
  t.is(receiver.deliveries[0]?.verification, 'refused');
  t.regex(receiver.deliveries[0]?.problem ?? '', /No signature matches/);
});

test('400 when webhook-timestamp and webhook-signature are missing', async (t) => {
  const receiver = await start(t, { secrets: [secret] });
  const { 'X-Service-Signature': fixed } = await sign(body, secret);

  const answer = await fetch(receiver.url, { method: 'POST', headers: { 'X-Service-Signature': fixed }, body });

  t.is(answer.status, 400);
  t.regex(await answer.text(), /pass all headers as received/);
  t.is(receiver.deliveries[0]?.verification, 'refused');
});

test('the receiver accepts events unverified until it gets the secret from the answer to a registration', async (t) => {
  const lines: string[] = [];
  const receiver = await start(t, { onSecret: (line) => lines.push(line) });

  await send(receiver);
  const handover = await handOver(receiver, JSON.stringify(registration));
  await send(receiver);

  t.is(handover.status, 200);
  t.is(await handover.text(), `listening for ${registration.url} (${registration.id})\n`);
  t.deepEqual(lines, [`listening for ${registration.url} (${registration.id})`]);
  t.deepEqual(
    receiver.deliveries.map(({ verification }) => verification),
    ['unverified', 'verified'],
  );
});

test('the receiver accepts a signature with any of its secrets', async (t) => {
  const receiver = await start(t, { secrets: ['whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD'] });
  await receiver.addSecret(secret);

  await send(receiver);

  t.is(receiver.deliveries[0]?.verification, 'verified');
});

test('400 when POST /secrets contains no usable secret', async (t) => {
  const receiver = await start(t);

  const failed = await handOver(
    receiver,
    JSON.stringify({ success: false, message: 'This operation needs an API key' }),
  );
  const masked = await handOver(receiver, JSON.stringify({ ...registration, secret: 'whsec_••••••••LaSw' }));
  const text = await handOver(receiver, 'whsec');

  t.is(failed.status, 400);
  t.is(await failed.text(), 'The body contains no secret: This operation needs an API key.\n');
  t.is(masked.status, 400);
  t.is(text.status, 400);
});

test('403 when a page in a browser sends a secret', async (t) => {
  const receiver = await start(t);

  const answer = await handOver(receiver, JSON.stringify(registration), { Origin: 'http://elsewhere.example' });

  t.is(answer.status, 403);
});

test('the receiver answers each delivery with the result of its answer function', async (t) => {
  const receiver = await start(t, {
    answer: ({ path }, index) =>
      path === '/webhooks/slow'
        ? { delayMs: 20 }
        : { status: index === 0 ? 503 : 202, headers: { 'Retry-After': '7' }, body: `${index}` },
  });

  const first = await send(receiver);
  const second = await send(receiver);
  const slow = await send(receiver, { path: '/slow' });
  receiver.setAnswer();
  const last = await send(receiver);

  t.deepEqual([first.status, first.headers.get('retry-after'), await first.text()], [503, '7', '0']);
  t.deepEqual([second.status, await second.text()], [202, '1']);
  t.is(slow.status, 200);
  t.is(await last.text(), 'ok');
});

test('the receiver can close the connection instead of answering', async (t) => {
  const receiver = await start(t, { answer: () => 'destroy' });

  await t.throwsAsync(send(receiver), { message: 'fetch failed' });

  t.is(receiver.deliveries.length, 1);
});

test('the receiver stops immediately while a delivery is unanswered', async (t) => {
  const receiver = await start(t, { answer: () => 'hang' });
  const sending = t.throwsAsync(send(receiver));
  await receiver.waitFor(1);

  await receiver.stop();

  await sending;
});

test('waitFor waits for a delivery that meets a condition', async (t) => {
  const receiver = await start(t);
  const waiting = receiver.waitFor(({ path }) => path.endsWith('?second'));

  await send(receiver);
  await send(receiver, { path: '?second' });

  t.is((await waiting).length, 1);
});

test('when waitFor times out, its error lists the deliveries that have arrived', async (t) => {
  const receiver = await start(t);
  await send(receiver);

  await t.throwsAsync(receiver.waitFor(2, 10), {
    message: 'The receiver did not get 2 deliveries within 10 ms. It got checkout.success.',
  });
});

test('404 for requests that are not webhooks', async (t) => {
  const receiver = await start(t);

  t.is((await fetch(receiver.url)).status, 404);
  t.is((await fetch(new URL('/elsewhere', receiver.url), { method: 'POST' })).status, 404);
  t.is(receiver.deliveries.length, 0);
});

async function start(t: ExecutionContext, options?: Parameters<typeof startReceiver>[0]): Promise<Receiver> {
  const receiver = await startReceiver(options);
  t.teardown(() => receiver.stop());
  return receiver;
}

async function send(receiver: Receiver, changed: { body?: string; path?: string } = {}): Promise<Response> {
  return fetch(`${receiver.url}${changed.path ?? ''}`, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      'X-Service-Event': 'checkout.success',
      ...(await sign(body, secret)),
    },
    body: changed.body ?? body,
  });
}

function handOver(receiver: Receiver, text: string, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(new URL('/secrets', receiver.url), { method: 'POST', headers, body: text });
}

const file = new URL('../../mock/src/commands/receiver.ts', import.meta.url).pathname;
const command = ['--conditions=@tillhook/source', file];
const { PORT: _, RECEIVER_PORT: __, WEBHOOK_SECRET: ___, ...environment } = process.env;

async function startCommand(t: ExecutionContext, args: string[], variables: Record<string, string> = {}) {
  const child = spawn(process.execPath, [...command, ...args], {
    env: { ...environment, ...variables },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  t.teardown(async () => {
    child.kill();
    await once(child, 'exit');
  });
  let printed = '';
  child.stdout.on('data', (chunk) => {
    printed += chunk;
  });
  await eventually(
    () => printed,
    (text) => text.includes('stands in for a merchant'),
  );
  const [, url = ''] = /merchant: (\S+)/.exec(printed) ?? [];
  return { url, printed: () => printed, child };
}

interface Sending {
  id: string;
  endpoint?: string;
  attempt?: string;
  amount?: number;
  key?: string;
}

async function sendToCommand(url: string, { id, attempt = '1', amount = 500, key = secret, endpoint = 'w' }: Sending) {
  const body = JSON.stringify({ event: 'checkout.success', data: { reference: 'order-1', amount }, webhookId: 'w' });
  const headers = {
    'X-Service-Event': 'checkout.success',
    'X-Service-Attempt': attempt,
    'X-Service-Webhook-Id': endpoint,
    ...(await sign(body, key, { id })),
  };
  const answer = await fetch(url, { method: 'POST', headers, body });
  return [answer.status, await answer.text()] as const;
}

test('with --fail, the receiver fails the first attempts of each event, and prints the changes since the previous attempt', async (t) => {
  const { url, printed } = await startCommand(t, ['--port', '0', '--secret', secret, '--fail', '2', '--slow', '10ms']);

  t.deepEqual(await sendToCommand(url, { id: 'e1' }), [500, 'told to fail 1 of 2']);
  t.deepEqual(await sendToCommand(url, { id: 'e1', attempt: '2' }), [500, 'told to fail 2 of 2']);
  t.deepEqual(await sendToCommand(url, { id: 'e2' }), [500, 'told to fail 1 of 2']);
  t.deepEqual(await sendToCommand(url, { id: 'e1', attempt: '3', amount: 501 }), [200, 'ok']);
  const [status] = await sendToCommand(url, { id: 'e1', key: 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD' });
  t.is(status, 400);

  t.regex(
    printed(),
    /It answers 500 to the first 2 attempts of each event, then 200, each after 0\.01 s, and 400 at once to/,
  );
  t.regex(
    printed(),
    /✓ verified {2}checkout\.success {2}order-1 {2}500\n {2}attempt 1 {2}answer 500 after 0\.01 s {2}webhook-id e1/,
  );
  t.regex(printed(), /attempt 3 {2}answer 200 after 0\.01 s {2}webhook-id e1/);
  t.is(printed().match(/of the same event/g)?.length, 3);
  t.regex(printed(), /arrival 2 of the same event, \d+ (ms|s) later; same body\n/);
  t.regex(printed(), /arrival 3 of the same event, .*; another body: data\.amount was 500 and is 501\n/);
  t.regex(printed(), /✗ refused[\s\S]*No signature matches/);
});

test('the receiver replaces control characters in the URL and the id that it gets together with a secret', async (t) => {
  const { url, printed } = await startCommand(t, ['--port', '0']);
  const body = JSON.stringify({ secret, url: 'http://a\u001b[2J.example', id: 'w\u202e1\n2' });

  const answer = await fetch(new URL('/secrets', url), { method: 'POST', body });

  const line = 'listening for http://a\ufffd[2J.example (w\ufffd1\ufffd2)\n';
  t.is(await answer.text(), line);
  // The receiver may print its line after it has responded.
  await eventually(printed, (text) => text.endsWith(line));
});

test('the receiver continues after its output pipe is closed', async (t) => {
  const { url, child } = await startCommand(t, ['--port', '0', '--secret', secret]);
  child.stdout.destroy();

  for (const id of ['e1', 'e2', 'e3']) t.deepEqual(await sendToCommand(url, { id }), [200, 'ok']);
  t.is(child.exitCode, null);
});

test('the receiver prints a hint for a rejected webhook of listen, because listen signs with another secret than the endpoint', async (t) => {
  const { url, printed } = await startCommand(t, ['--port', '0', '--secret', secret]);
  const other = { id: 'e1', key: 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD' };

  await sendToCommand(url, other);
  t.notRegex(printed(), /listen/);
  await sendToCommand(url, { ...other, endpoint: '00000000-0000-7000-8000-000000000001' });

  t.regex(printed(), /It is from `listen`.*--secret/);
});

test('the receiver answers with the status code in --status', async (t) => {
  const { url } = await startCommand(t, ['--status', '410', '--port', '0']);

  t.deepEqual(await sendToCommand(url, { id: 'e1' }), [410, 'ok']);
});

test('the receiver listens on the port in --port, or in RECEIVER_PORT, or in PORT', async (t) => {
  const byOption = await startCommand(t, ['--port', '0'], { RECEIVER_PORT: 'not read', PORT: 'not read' });
  const byVariable = await startCommand(t, [], { RECEIVER_PORT: '0', PORT: 'not read' });
  const byCommon = await startCommand(t, [], { PORT: '0' });
  for (const { url } of [byOption, byVariable, byCommon]) t.is((await fetch(url)).status, 404);

  const wrong = await promisify(execFile)(process.execPath, command, { env: { ...environment, PORT: 'x' } }).catch(
    (error) => error,
  );
  t.like(wrong, { code: 1, stderr: 'PORT must be a port from 0 to 65535, not "x".\n' });
});

const wrongArguments: [args: string[], message: RegExp][] = [
  [['--fail', 'x'], /'--fail <attempts>' argument 'x' is invalid\. It is a whole number from 0 to 1000/],
  [['--slow', 'soon'], /It is a time up to 10 minutes, such as 500ms, 5s or 1m/],
  [['--slow', '5'], /It is a time up to 10 minutes, such as 500ms, 5s or 1m/],
  [['--slow', '3d'], /It is a time up to 10 minutes/],
  [['--status', '99'], /It is a whole number from 200 to 599/],
  [['--port', '70000'], /--port must be a port from 0 to 65535, not "70000"/],
  [['--nothing'], /unknown option '--nothing'/],
];

for (const [args, message] of wrongArguments) {
  test(`the receiver exits with code 2 for ${args.join(' ')}`, async (t) => {
    const error = await promisify(execFile)(process.execPath, [...command, ...args]).catch((failure) => failure);

    t.is(error.code, 2);
    t.regex(error.stderr, message);
  });
}

test('the receiver prints the same registration command as the README, and the command does not write the secret to a file', async (t) => {
  const { url, printed } = await startCommand(t, ['--port', '0']);
  const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
  const service = 'http://localhost:3000';

  const named = url.replace('127.0.0.1', 'localhost');
  t.true(printed().includes(registerCommand({ receiver: named, service })));
  t.regex(named, /^http:\/\/localhost:/);
  const ofReadme = registerCommand({ receiver: 'http://localhost:4000/webhooks', service });
  t.true(readme.includes(ofReadme), ofReadme);
  t.notRegex(ofReadme, />/);
});

// `--help` prints immediately, because it loads the names and options of all commands, and not their programs.

const root = new URL('../../', import.meta.url);

const recorder = `data:text/javascript,${encodeURIComponent(`
  import { registerHooks } from 'node:module';
  import { writeSync } from 'node:fs';
  registerHooks({ load: (url, context, next) => (writeSync(2, url + '\\n'), next(url, context)) });
`)}`;

const needed = ['commander', 'ms'];

const commandLines: [command: string, ...args: string[]][] = [
  ['mock', '--help'],
  ['mock', 'event', '--help'],
  ['receiver', '--help'],
  ['developer', '--help'],
  ['developer', 'listen', '--help'],
];

for (const [command, ...args] of commandLines) {
  test(`${command} ${args.join(' ')} loads only the modules that declare names and options`, async (t) => {
    const file = fileURLToPath(new URL(`mock/src/commands/${command}.ts`, root));
    const flags = [`--import=${recorder}`, '--conditions=@tillhook/source'];

    const { stdout, stderr } = await promisify(execFile)(process.execPath, [...flags, file, ...args]);

    const loaded = stderr.split('\n');
    t.regex(stdout, /^Usage: /);
    t.true(loaded.some((url) => url.endsWith(`mock/src/commands/${command}-program.ts`)));
    t.deepEqual(
      loaded.filter((url) => !isNeeded(url)),
      [],
    );
  });
}

/** Modules that load quickly: names and options, the service's URL, small packages, and Node's modules except HTTP. */
function isNeeded(url: string): boolean {
  if (url === '' || /^node:(?!https?$)/.test(url)) return true;
  const [, dependency] = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url) ?? [];
  if (dependency !== undefined) return needed.includes(dependency);
  return ['mock/', 'developer/', 'openapi/rules/service-address.ts'].some((place) =>
    url.startsWith(new URL(place, root).href),
  );
}
