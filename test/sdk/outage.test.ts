/** The delays of the SDK use Node's mocked timers, so an outage of five seconds takes no time in these tests. */
import { createServer } from 'node:http';
import { mock } from 'node:test';
import { ConnectionError, Tillhook, type TillhookError } from '@tillhook/sdk';
import test from 'ava';
import { freePort } from '../support/network/free-port.ts';
import { apiKey, serve } from './scripted-server.ts';

mock.timers.enable({ apis: ['setTimeout'] });

test.serial('calls that begin at any moment of a restart of five seconds succeed', async (t) => {
  const failures: TillhookError[] = [];

  for (let beginsAtMs = 0; beginsAtMs < 5_000; beginsAtMs += 250) {
    const { error } = await callInOutage({ beginsAtMs, backAtMs: 4_000, readyAtMs: 5_000 });
    if (error) failures.push(error);
  }

  // The delays are random: one of the twenty calls fails once in 800 runs, and two calls fail once in a million runs.
  t.true(failures.length <= 1, failures.join('\n'));
});

test.serial('a call to a server that does not recover fails after ten attempts, within half a minute', async (t) => {
  const { error, endedAtMs } = await callInOutage({ beginsAtMs: 0, backAtMs: Infinity, readyAtMs: Infinity });

  t.true(error instanceof ConnectionError);
  t.is(error?.attempts, 10);
  t.true(endedAtMs < 30_000, `${endedAtMs} ms`);
});

test.serial(
  'when a stopping server responds immediately with an empty list, a feed pauses before its next request',
  async (t) => {
    const { seen, baseUrl, tillhook } = await serve(t, [{ status: 200, body: { events: [], total: 0 } }]);
    const apiCallCount = () => seen.filter(({ url }) => url.startsWith('/api')).length;
    const callOther = async () => (await fetch(new URL('/other', baseUrl))).text();
    const stop = new AbortController();

    const { signal } = stop;
    const ended = tillhook.events.follow({ from: 'oldest' }, { signal })[Symbol.asyncIterator]().next();
    // Each call serves as a pause that is as long as a request of the feed.
    while (apiCallCount() === 0) await callOther();
    for (let call = 0; call < 3; call++) await callOther();
    t.is(apiCallCount(), 1);

    mock.timers.tick(1_000);
    while (apiCallCount() === 1) await callOther();
    stop.abort();
    t.true((await ended).done);
  },
);

interface Outage {
  beginsAtMs: number;
  backAtMs: number;
  readyAtMs: number;
}

async function callInOutage({ beginsAtMs, backAtMs, readyAtMs }: Outage) {
  const port = await freePort();
  const server = createServer((_, response) => {
    response.writeHead(nowMs < readyAtMs ? 503 : 201, { 'content-type': 'application/json' }).end('{}');
  });
  let nowMs = 0;
  const advance = (ms: number) => {
    nowMs += ms;
    if (nowMs >= backAtMs && !server.listening) server.listen(port, '127.0.0.1');
  };
  const retry = ({ delayMs }: { delayMs: number }) => {
    advance(delayMs);
    // The SDK starts its delay after it has called this hook.
    setImmediate(() => mock.timers.tick(delayMs));
  };
  const tillhook = new Tillhook(apiKey, { baseUrl: `http://127.0.0.1:${port}`, hooks: { retry } });
  advance(beginsAtMs);
  const call = tillhook.checkout.create({ email: 'ada@example.com', amount: 1 });
  const error = await call.then(
    () => null,
    (failure: TillhookError) => failure,
  );
  server.closeAllConnections();
  server.close();
  return { error, endedAtMs: nowMs };
}
