/** `npm run receiver` as a person uses it: it answers as told, and says what changed since the last attempt. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { sign } from '@tillhook/sdk/webhooks';
import test, { type ExecutionContext } from 'ava';
import { registerCommand } from '../../mock/src/receiver-greeting.ts';
import { eventually } from '../support/eventually.ts';

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const file = new URL('../../mock/src/commands/receiver.ts', import.meta.url).pathname;
const command = ['--conditions=@tillhook/source', file];
const { PORT: _, RECEIVER_PORT: __, WEBHOOK_SECRET: ___, ...environment } = process.env;

async function start(t: ExecutionContext, args: string[], variables: Record<string, string> = {}) {
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

async function send(url: string, { id, attempt = '1', amount = 500, key = secret, endpoint = 'w' }: Sending) {
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

test('fails the first attempts of each event, and says what changed since the last one', async (t) => {
  const { url, printed } = await start(t, ['--port', '0', '--secret', secret, '--fail', '2', '--slow', '10ms']);

  t.deepEqual(await send(url, { id: 'e1' }), [500, 'told to fail 1 of 2']);
  t.deepEqual(await send(url, { id: 'e1', attempt: '2' }), [500, 'told to fail 2 of 2']);
  t.deepEqual(await send(url, { id: 'e2' }), [500, 'told to fail 1 of 2']);
  t.deepEqual(await send(url, { id: 'e1', attempt: '3', amount: 501 }), [200, 'ok']);
  const [status] = await send(url, { id: 'e1', key: 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD' });
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

test('prints no control characters of the address and the id that come with a secret', async (t) => {
  const { url, printed } = await start(t, ['--port', '0']);
  const body = JSON.stringify({ secret, url: 'http://a\u001b[2J.example', id: 'w\u202e1\n2' });

  const answer = await fetch(new URL('/secrets', url), { method: 'POST', body });

  const line = 'listening for http://a\ufffd[2J.example (w\ufffd1\ufffd2)\n';
  t.is(await answer.text(), line);
  // The line may arrive after the answer.
  await eventually(printed, (text) => text.endsWith(line));
});

test('goes on when the reader of its output has closed the pipe', async (t) => {
  const { url, child } = await start(t, ['--port', '0', '--secret', secret]);
  child.stdout.destroy();

  for (const id of ['e1', 'e2', 'e3']) t.deepEqual(await send(url, { id }), [200, 'ok']);
  t.is(child.exitCode, null);
});

test('a webhook of listen that it refuses is named, because listen has a secret that no endpoint has', async (t) => {
  const { url, printed } = await start(t, ['--port', '0', '--secret', secret]);
  const other = { id: 'e1', key: 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD' };

  await send(url, other);
  t.notRegex(printed(), /listen/);
  await send(url, { ...other, endpoint: '00000000-0000-7000-8000-000000000001' });

  t.regex(printed(), /It is from `listen`.*--secret/);
});

test('answers with the status that it was told', async (t) => {
  const { url } = await start(t, ['--status', '410', '--port', '0']);

  t.deepEqual(await send(url, { id: 'e1' }), [410, 'ok']);
});

test('listens on --port, else on RECEIVER_PORT, else on PORT', async (t) => {
  const byOption = await start(t, ['--port', '0'], { RECEIVER_PORT: 'not read', PORT: 'not read' });
  const byVariable = await start(t, [], { RECEIVER_PORT: '0', PORT: 'not read' });
  const byCommon = await start(t, [], { PORT: '0' });
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
  test(`exits with 2 for ${args.join(' ')}`, async (t) => {
    const error = await promisify(execFile)(process.execPath, [...command, ...args]).catch((failure) => failure);

    t.is(error.code, 2);
    t.regex(error.stderr, message);
  });
}

test('its greeting and the README have the same command, which writes the secret to no file', async (t) => {
  const { url, printed } = await start(t, ['--port', '0']);
  const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
  const service = 'http://localhost:3000';

  const named = url.replace('127.0.0.1', 'localhost');
  t.true(printed().includes(registerCommand({ receiver: named, service })));
  t.regex(named, /^http:\/\/localhost:/);
  const ofReadme = registerCommand({ receiver: 'http://localhost:4000/webhooks', service });
  t.true(readme.includes(ofReadme), ofReadme);
  t.notRegex(ofReadme, />/);
});
