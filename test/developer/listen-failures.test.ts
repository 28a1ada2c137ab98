import type { Receiver } from '@tillhook/mock/receiver';
import test from 'ava';
import { freePort } from '../support/network/free-port.ts';
import { receiverFor } from '../support/receivers/receiver.ts';
import { environmentOf, runDeveloper, startDeveloper, startListen } from '../support/server/developer.ts';
import { serverForFile, type TestMerchant } from '../support/server/tillhook.ts';

const server = serverForFile();

async function pay({ client }: TestMerchant, reference: string): Promise<void> {
  await client.checkout.create({ email: 'ada@example.com', amount: 700, reference });
  await client.test.completePayment(reference);
}

const attemptsOf = ({ deliveries }: Receiver) => deliveries.map(({ headers }) => headers['x-service-attempt']);

test('when the receiver is down, listen explains the failure, retries and gives up, and resend posts the event later', async (t) => {
  const merchant = await server().createMerchant();
  const env = environmentOf(server(), merchant);
  const port = await freePort();
  const address = `http://localhost:${port}/webhooks`;
  const listen = await startListen(t, { env, args: ['--forward-to', `localhost:${port}/webhooks`] });

  await pay(merchant, 'order-1042');

  await listen.printed('given up');
  const { stdout } = listen.output;
  t.regex(
    stdout,
    /✗ checkout\.success +refused +order-1042 +attempt 1, again in 1 second\n {2}No program listens at this/,
  );
  t.regex(stdout, /attempt 2, again in 2 seconds\n.*attempt 3, again in 4 seconds\n.*given up after 4 attempts\n/);
  const { events } = await merchant.client.events.list();
  const again = `resend -- ${events[0]?.id} --forward-to ${address}`;
  await listen.printed(`Again: npm run ${again}\n`);
  listen.interrupt();
  t.regex((await listen.ended).stdout, /1 received, 0 forwarded, 1 failed\./);

  const { startReceiver } = await import('@tillhook/mock/receiver');
  const receiver = await startReceiver({ port });
  t.teardown(() => receiver.stop());
  const resent = await runDeveloper(env, ...again.replace(' --', '').split(' '));

  t.is(resent.code, 0, resent.stderr);
  t.regex(resent.stdout, /✓ checkout\.success +200 +order-1042/);
  t.is(receiver.deliveries[0]?.headers['webhook-id'], events[0]?.id);
});

test('listen explains responses that are not 2xx with advice, and does not retry after 410', async (t) => {
  const merchant = await server().createMerchant();
  const local = await receiverFor(t);
  const answers = [500, 404, 401, 302, 410];
  local.setAnswer((_delivery, index) => ({ status: answers[index] ?? 200 }));
  const env = environmentOf(server(), merchant);
  const listen = await startListen(t, { env, args: ['--forward-to', local.url] });

  await pay(merchant, 'order-1042');
  await listen.printed('given up');
  await pay(merchant, 'order-1043');
  await listen.printed('takes no more webhooks');

  const { stdout } = listen.output;
  for (const hint of [
    'Your receiver failed: see its log',
    'has no such path',
    'does it verify with the secret',
    'Redirects',
  ])
    t.true(stdout.includes(hint), `${hint}\n${stdout}`);
  t.regex(
    stdout,
    /✗ checkout\.success +410 +order-1043 +given up after 1 attempt\n {2}Your receiver says that it takes/,
  );
  t.deepEqual(attemptsOf(local), ['1', '2', '3', '4', '1']);
});

test('when the receiver closes the connection, listen explains the failure and retries', async (t) => {
  const merchant = await server().createMerchant();
  const local = await receiverFor(t);
  local.setAnswer((_delivery, index) => (index === 0 ? 'destroy' : {}));
  const env = environmentOf(server(), merchant);
  const listen = await startListen(t, { env, args: ['--forward-to', local.url] });

  await pay(merchant, 'order-1042');

  await listen.printed('✓');
  t.regex(listen.output.stdout, /✗ checkout\.success +reset +order-1042 +attempt 1.*\n {2}Your receiver closed/);
});

test('when the receiver hangs on one event, listen reports a time-out, and posts the other events in the meantime', async (t) => {
  const merchant = await server().createMerchant();
  const local = await receiverFor(t);
  local.setAnswer(({ body, headers }) =>
    String(body).includes('order-hanging') && headers['x-service-attempt'] === '1' ? 'hang' : {},
  );
  const env = environmentOf(server(), merchant);
  const listen = await startListen(t, { env, args: ['--forward-to', local.url] });

  await pay(merchant, 'order-hanging');
  await pay(merchant, 'order-1042');

  await listen.printed(/✓ checkout\.success +200 +order-1042/);
  t.notRegex(listen.output.stdout, /timeout/);
  await listen.printed(
    /✗ checkout\.success +timeout +order-hanging +attempt 1.*\n {2}Your receiver gave no answer within/,
  );
  await listen.printed(/✓ checkout\.success +200 +order-hanging/);
});

test('Ctrl-C ends listen immediately while the receiver hangs, and listen prints the --since value for the next run', async (t) => {
  const merchant = await server().createMerchant();
  const local = await receiverFor(t);
  const env = environmentOf(server(), merchant);
  const listen = await startListen(t, { env, args: ['--forward-to', local.url] });
  await pay(merchant, 'order-1');
  await listen.printed('✓');
  local.setAnswer(() => 'hang');
  await pay(merchant, 'order-2');
  await pay(merchant, 'order-3');
  await local.waitFor(3, 60_000);

  listen.interrupt();
  const { code, stdout } = await listen.ended;

  t.is(code, 0);
  const [, id = ''] = /3 received, 1 forwarded, 0 failed, 2 unfinished\.\n.*--since (\S+)\n$/.exec(stdout) ?? [];
  t.is((await merchant.client.events.get(id)).reference, 'order-1');
  local.setAnswer();
  await startListen(t, { env, args: ['--forward-to', local.url, '--since', id] });
  const deliveries = await local.waitFor(5, 60_000);
  const references = deliveries.slice(3).map(({ body }) => JSON.parse(String(body)).data.reference);
  t.deepEqual(references.sort(), ['order-2', 'order-3']);
});

test('after Ctrl-C, listen prints its start time if the receiver has answered no event, and "Interrupted" if the service has not responded', async (t) => {
  const merchant = await server().createMerchant();
  const local = await receiverFor(t);
  local.setAnswer(() => 'hang');
  const env = environmentOf(server(), merchant);
  await pay(merchant, 'order-1');
  const listen = await startListen(t, { env, args: ['--forward-to', local.url, '--since', '2026-01-01'] });
  await local.waitFor(1, 60_000);
  const unanswered = startDeveloper({ env, args: ['listen'] });

  unanswered.interrupt();
  listen.interrupt();
  const [{ stdout }, early] = await Promise.all([listen.ended, unanswered.ended]);

  t.regex(stdout, /1 unfinished\.\nTo go on where it stopped: --since 2026-01-01T00:00:00\.000Z\n$/);
  t.deepEqual(early, { code: 0, stdout: '', stderr: 'Interrupted before it listened.\n' });
});

test('the resend command that listen prints repeats the secret and the URL of the service that the user typed', async (t) => {
  const merchant = await server().createMerchant();
  const local = await receiverFor(t);
  local.setAnswer(() => ({ status: 410 }));
  const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
  const typed = ['--secret', secret, '--base-url', server().url];
  const env = { TILLHOOK_API_KEY: merchant.testKey };
  const listen = await startListen(t, { env, args: ['--forward-to', local.url, ...typed] });

  await pay(merchant, 'order-1042');

  await listen.printed('Again: ');
  const [, again = ''] = /Again: npm run resend -- (.*)\n/.exec(listen.output.stdout) ?? [];
  t.true(again.endsWith(` --forward-to ${local.url} ${typed.join(' ')}`), again);
  local.setAnswer();
  t.is((await runDeveloper(env, 'resend', ...again.split(' '))).code, 0);
});

const wrongArguments: Record<string, { args: string[]; env?: Record<string, string>; says: RegExp; code: number }> = {
  'no key': { args: [], env: { TILLHOOK_API_KEY: '' }, says: /^TILLHOOK_API_KEY is not set\.\nSet it to/, code: 2 },
  'a key of an example': {
    args: [],
    env: { TILLHOOK_API_KEY: 'sk_test_…' },
    says: /the … of an example\.\nCheck/,
    code: 2,
  },
  'a wrong key': {
    args: [],
    env: { TILLHOOK_API_KEY: 'sk_test_wrong' },
    says: /key.*\(request req_\w+\)\nCheck TILLHOOK/,
    code: 1,
  },
  'an address of another scheme': {
    args: ['--forward-to', 'ftp://localhost'],
    says: /must be an address of http or https, .*\nWrite it as/,
    code: 2,
  },
  'a masked secret': {
    args: ['--forward-to', 'localhost:4', '--secret', 'whsec_…'],
    says: /secret cannot be used.*masked/,
    code: 2,
  },
  'a time without a unit': {
    args: ['--since', '5'],
    says: /--since must be a duration or a time, not "5"\.\nWrite/,
    code: 2,
  },
  'an unknown event id': {
    args: ['--since', '019aa3c7-0a1d-7c52-8f3a-1b2c3d4e5f60'],
    says: /^.*req_.*\nCheck the id, and the mode/,
    code: 1,
  },
  'an unknown event': {
    args: ['--events', 'checkout.paid'],
    says: /^--events must be one of:.*checkout\.success/,
    code: 2,
  },
  'an unknown option': { args: ['--forward', 'x'], says: /unknown option '--forward'[\s\S]*--help/, code: 2 },
};

for (const [situation, { args, env = {}, says, code }] of Object.entries(wrongArguments)) {
  test(`${situation} makes listen fail at the start, with advice and without a stack trace`, async (t) => {
    const merchant = await server().createMerchant();

    const end = await runDeveloper({ ...environmentOf(server(), merchant), ...env }, 'listen', ...args);

    t.is(end.code, code, end.stderr);
    t.regex(end.stderr, says);
    t.notRegex(end.stderr, /\n {4}at /);
    t.is(end.stdout, '');
  });
}

test('listen accepts a live key only with --live', async (t) => {
  const { liveKey } = await server().createMerchant();
  const env = { TILLHOOK_BASE_URL: server().url, TILLHOOK_API_KEY: liveKey };

  const refused = await runDeveloper(env, 'listen');
  const listen = await startListen(t, { env, args: ['--live'] });

  t.is(refused.code, 2);
  t.regex(refused.stderr, /live key.*real customers\.\nUse a test key, or add --live/);
  t.regex(listen.output.stdout, /\(live\)/);
});

test('when no service runs at the URL, listen fails at the start with advice', async (t) => {
  const baseUrl = `http://localhost:${await freePort()}`;

  const end = await runDeveloper({ TILLHOOK_API_KEY: 'sk_test_any' }, 'listen', '--base-url', baseUrl);

  t.is(end.code, 1);
  t.regex(end.stderr, /^The service gave no answer: .*ECONNREFUSED.*\nStart it with `npm start`, or name its address/);
});
