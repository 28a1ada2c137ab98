import { loadConfig } from '@tillhook/server/src/config/config.ts';
import { startLinesFor } from '@tillhook/server/src/start/start-lines.ts';
import type { Tillhook } from '@tillhook/server/src/start/tillhook.ts';
import test from 'ava';
import { collectingStream } from '../support/collecting-stream.ts';

const url = 'http://localhost:3000';
const demo = { testKey: 'sk_test_abc', email: 'demo@example.com', password: 'four-words' };

function tillhook(given: Partial<Tillhook>, role = 'all'): Tillhook {
  const context = { config: loadConfig({ ROLE: role, NO_COLOR: '1' }) };
  return { url, metricsUrl: null, demo: null, isDemo: true, emails: async () => [], context, ...given } as Tillhook;
}

async function printedBy(started: Tillhook, { isTTY }: { isTTY: boolean }) {
  const { stream, take } = collectingStream({ isTTY });
  const lines = startLinesFor(stream as unknown as NodeJS.WriteStream);
  const printed = async (call: () => unknown) => {
    await call();
    return take();
  };
  return {
    begins: await printed(() => lines.begins(started.context.config)),
    step: await printed(() => lines.step?.('Something takes long')),
    serves: await printed(() => lines.serves(started)),
    isReady: await printed(() => lines.isReady(started)),
    stopsEarly: await printed(() => lines.stopsEarly(started)),
  };
}

test('a script gets fixed lines: the URLs and the demo sign-in when the server answers, and then a line that the server is ready', async (t) => {
  const printed = await printedBy(tillhook({ demo, metricsUrl: `${url}1/metrics` }), { isTTY: false });

  t.deepEqual(printed, {
    begins: '',
    step: '',
    serves: `api ${url}
dashboard ${url}/dashboard
docs ${url}/docs
mails ${url}/mails
metrics ${url}1/metrics
test key sk_test_abc
sign in demo@example.com four-words
`,
    isReady: 'ready\n',
    stopsEarly: '',
  });
});

test('a second start names the commands for a new key and for a new password of each user', async (t) => {
  const { serves } = await printedBy(tillhook({ emails: async () => ['a@example.com', 'b@example.com'] }), {
    isTTY: false,
  });

  t.deepEqual(serves.trimEnd().split('\n').slice(4), [
    'Keys and passwords are stored hashed. For new ones:',
    '  npx tillhook keys create --mode test',
    '  npx tillhook users reset-password --email a@example.com',
    '  npx tillhook users reset-password --email b@example.com',
  ]);
});

test('a person sees immediately what happens, and gets one aligned banner when everything is ready', async (t) => {
  const printed = await printedBy(tillhook({ demo }), { isTTY: true });

  t.is(printed.begins, 'Tillhook starts, with its own Postgres in .data.\n');
  t.is(printed.step, '  Something takes long …\n');
  t.is(printed.serves, '');
  t.is(
    printed.isReady,
    `
Tillhook is ready.

  Home       http://localhost:3000/
  Dashboard  http://localhost:3000/dashboard
  Docs       http://localhost:3000/docs
  API        http://localhost:3000/api/v1
  Mails      http://localhost:3000/mails

  Test key   sk_test_abc
  Sign in    demo@example.com
  Password   four-words   (key and password are shown only this once)

  Next       open Home and pay a test checkout; in a second terminal, a receiver of webhooks:
             npm run receiver

`,
  );
});

test('a service that sends its mails, and one that other machines reach, name no mailbox', async (t) => {
  const settings = [
    { MAIL_URL: 'smtps://mail.example.com', MAIL_FROM: 'pay@example.com' },
    { SEED_DEMO: 'false' },
    { HOST: '0.0.0.0' },
    { PUBLIC_URL: 'https://pay.example.com' },
  ];
  for (const given of settings) {
    const config = loadConfig({ ROLE: 'all', NO_COLOR: '1', ...given });
    const context = { config } as Tillhook['context'];
    const { serves } = await printedBy(tillhook({ context, url: given.PUBLIC_URL ?? url }), { isTTY: false });

    t.notRegex(serves, /mails/, JSON.stringify(given));
  }
});

test('the banner of a second start has the commands for a new key and a new password', async (t) => {
  const { isReady } = await printedBy(tillhook({ emails: async () => ['a@example.com'] }), { isTTY: true });

  t.regex(isReady, /^ {2}New key {7}npx tillhook keys create --mode test$/m);
  t.regex(isReady, /^ {2}New password {2}npx tillhook users reset-password --email a@example\.com$/m);
});

test('a person whose service stops before it is ready still sees the demo key, which no later start shows', async (t) => {
  const first = await printedBy(tillhook({ demo }), { isTTY: true });
  const later = await printedBy(tillhook({ emails: async () => ['a@example.com'] }), { isTTY: true });

  t.regex(first.stopsEarly, /stops before it was ready\.[\s\S]+sk_test_abc/);
  t.is(later.stopsEarly, '');
});

test('the banner of a worker has only its probes', async (t) => {
  const { isReady } = await printedBy(tillhook({ isDemo: false }, 'worker'), { isTTY: true });

  t.is(isReady, `\nTillhook is ready.\n\n  Probes    ${url}/readyz\n\n  Commands  npx tillhook --help\n\n`);
});
