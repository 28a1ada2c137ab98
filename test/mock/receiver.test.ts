import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type Receiver, startReceiver } from '@tillhook/mock/receiver';
import { sign } from '@tillhook/sdk/webhooks';
import test, { type ExecutionContext } from 'ava';

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

test('the command prints its usage for --help', async (t) => {
  const command = fileURLToPath(
    import.meta.resolve('@tillhook/mock/package.json').replace('package.json', 'src/commands/receiver.ts'),
  );

  const { stdout } = await promisify(execFile)(process.execPath, ['--conditions=@tillhook/source', command, '--help']);

  t.regex(
    stdout,
    /^Usage: npm run receiver -- \[options\][\s\S]*--secret <secret>[\s\S]*--fail <attempts>[\s\S]*RECEIVER_PORT/,
  );
});

test('records a signed event as verified, with the bytes that were sent', async (t) => {
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

test('400 when the body is not the one that was signed', async (t) => {
  const receiver = await start(t, { secrets: [secret] });

  const answer = await send(receiver, { body: body.replace('500000', '500001') });

  t.is(answer.status, 400);
  t.is(receiver.deliveries[0]?.verification, 'refused');
  t.regex(receiver.deliveries[0]?.problem ?? '', /No signature matches/);
});

test('400 when the headers that sign the time were removed', async (t) => {
  const receiver = await start(t, { secrets: [secret] });
  const { 'X-Service-Signature': fixed } = await sign(body, secret);

  const answer = await fetch(receiver.url, { method: 'POST', headers: { 'X-Service-Signature': fixed }, body });

  t.is(answer.status, 400);
  t.regex(await answer.text(), /pass all headers as received/);
  t.is(receiver.deliveries[0]?.verification, 'refused');
});

test('accepts events unverified until it gets the secret from the answer to a registration', async (t) => {
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

test('verifies with every secret it knows', async (t) => {
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

test('answers each delivery as its answer function says', async (t) => {
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

test('can close the connection instead of answering', async (t) => {
  const receiver = await start(t, { answer: () => 'destroy' });

  await t.throwsAsync(send(receiver), { message: 'fetch failed' });

  t.is(receiver.deliveries.length, 1);
});

test('stops at once while a delivery hangs', async (t) => {
  const receiver = await start(t, { answer: () => 'hang' });
  const sending = t.throwsAsync(send(receiver));
  await receiver.waitFor(1);

  await receiver.stop();

  await sending;
});

test('waits for the delivery that fits a condition', async (t) => {
  const receiver = await start(t);
  const waiting = receiver.waitFor(({ path }) => path.endsWith('?second'));

  await send(receiver);
  await send(receiver, { path: '?second' });

  t.is((await waiting).length, 1);
});

test('when the awaited delivery does not come, the error says what came instead', async (t) => {
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
