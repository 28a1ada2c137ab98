import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { type Feed, Tillhook, ValidationError } from '@tillhook/sdk';
import test from 'ava';
import { createTestDatabase } from '../support/database/database.ts';
import { freePort } from '../support/network/free-port.ts';
import { testEnvironment } from '../support/server/environment.ts';
import { spawnTillhook } from '../support/server/process.ts';
import { serverForFile } from '../support/server/tillhook.ts';
import { event, follows, page, queriesOf, take } from './event-feed.ts';
import { type Act, failure, serve } from './scripted-server.ts';

test('by default, a feed requests the newest event first, and then returns only the events after that event', async (t) => {
  const { seen, tillhook } = await serve(t, [page(7), page(8, 9), page(10)]);

  const ids = await take(tillhook.events.follow({ event: 'refund.failed' }), 3);

  t.deepEqual(ids, ['event-8', 'event-9', 'event-10']);
  t.deepEqual(queriesOf(seen), [
    { order: 'desc', limit: '1', wait: '0' },
    { ...follows, event: 'refund.failed', after: 'event-7' },
    { ...follows, event: 'refund.failed', after: 'event-9' },
  ]);
});

test('a feed of a merchant without events begins with the first event', async (t) => {
  const { seen, tillhook } = await serve(t, [page(), page(1), page(2)]);

  t.deepEqual(await take(tillhook.events.follow(), 2), ['event-1', 'event-2']);
  t.deepEqual(queriesOf(seen).slice(1), [
    { ...follows, order: 'asc' },
    { ...follows, after: 'event-1' },
  ]);
});

test('a feed begins after an event, with the oldest event, or at a time, as the query says', async (t) => {
  const from = '2026-11-20T00:00:00.000Z';
  const beginnings = [
    [{ after: 'event-4', from: 'oldest' }, { after: 'event-4' }],
    [{ after: null, from: 'oldest' }, { order: 'asc' }],
    [{ from }, { order: 'asc', from }],
  ] as const;

  for (const [query, options] of beginnings) {
    const { seen, tillhook } = await serve(t, [page(5), page(6)]);
    await take(tillhook.events.follow(query), 2);
    t.deepEqual(queriesOf(seen), [
      { ...follows, ...options },
      { ...follows, after: 'event-5' },
    ]);
  }
});

test('a feed returns every event once, despite any number of lost connections and responses 429, 500 and 503', async (t) => {
  const soon = { headers: { 'retry-after-ms': '1' } };
  const failed = [
    { ...failure(503, 'api_error', 'service_unavailable'), ...soon },
    { ...failure(429, 'rate_limit_error', 'rate_limited'), ...soon },
    { ...failure(500, 'api_error', 'internal_error'), ...soon },
  ];
  const outage = Array.from({ length: 4 }, () => failed).flat();
  const lost: Act = (response) => response.destroy();
  const cutOff: Act = (response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).write('{"events":[{"id":"event-2"');
    setImmediate(() => response.destroy());
  };
  const script = [page(1), cutOff, lost, ...outage, page(2, 3), ...outage, page(4)];
  const { seen, tillhook } = await serve(t, script, { maxRetries: 0, totalTimeoutMs: 1 });

  const ids = await take(tillhook.events.follow({ after: 'event-0' }), 4);

  t.deepEqual(ids, ['event-1', 'event-2', 'event-3', 'event-4']);
  t.deepEqual(new Set(queriesOf(seen).map(({ after }) => after)), new Set(['event-0', 'event-1', 'event-3']));
});

for (const [status, type, code] of [
  [401, 'authentication_error', 'expired_api_key'],
  [403, 'permission_error', 'insufficient_scope'],
] as const) {
  test(`the loop over a feed throws an error ${status}, because only the caller can correct the API key`, async (t) => {
    const { tillhook } = await serve(t, [page(1), failure(status, type, code)]);

    const ids: string[] = [];
    const run = async () => {
      for await (const { id } of tillhook.events.follow({ after: 'event-0' })) ids.push(id);
    };

    t.like(await t.throwsAsync(run()), { status, code });
    t.deepEqual(ids, ['event-1']);
  });
}

const unknownAfter: Act = {
  ...failure(400, 'validation_error', 'invalid_parameter'),
  body: {
    success: false,
    message: 'after is the id of none of your records',
    error: { type: 'validation_error', code: 'invalid_parameter', param: 'after', details: [], docUrl: 'http://a/' },
    requestId: 'req_1',
  },
};

test('the loop over a feed throws when the service does not have the event in `after`, even if the feed has received that event', async (t) => {
  const first = await serve(t, [unknownAfter]);
  const justNow = { status: 200, body: { events: [event(1, new Date().toISOString())], total: 1 } };
  const later = await serve(t, [justNow, unknownAfter]);

  await t.throwsAsync(take(first.tillhook.events.follow({ after: 'event-0' }), 1), { instanceOf: ValidationError });
  await t.throwsAsync(take(later.tillhook.events.follow({ after: 'event-0' }), 2), { instanceOf: ValidationError });
});

test('a feed continues when its last event is removed after a month without events', async (t) => {
  const month = new Date(Date.now() - 30 * 86_400_000);
  const old = { status: 200, body: { events: [event(1, month.toISOString())], total: 1 } };
  const { seen, tillhook } = await serve(t, [old, unknownAfter, page(2)]);

  t.deepEqual(await take(tillhook.events.follow({ after: 'event-0' }), 2), ['event-1', 'event-2']);
  const dayLater = new Date(month.getTime() + 86_400_000).toISOString();
  t.deepEqual(queriesOf(seen)[2], { ...follows, order: 'asc', from: dayLater });
});

test('a feed sends no request while the program handles the events', async (t) => {
  const { seen, baseUrl, tillhook } = await serve(t, [page(1, 2), page(3)]);
  const askedWhile: number[] = [];

  for await (const { id } of tillhook.events.follow({ after: 'event-0' })) {
    if (id === 'event-3') break;
    // If the feed sent a request now, the server would get it before these calls end.
    for (let call = 0; call < 3; call++) await fetch(new URL('/other', baseUrl)).then((answer) => answer.text());
    askedWhile.push(seen.filter(({ url }) => url.startsWith('/api')).length);
  }

  t.deepEqual(askedWhile, [1, 1]);
});

test('pages() returns the events of each response together, and skips empty responses', async (t) => {
  const { tillhook } = await serve(t, [page(1, 2), page(), page(3)]);

  const pages: string[][] = [];
  for await (const events of tillhook.events.follow({ after: 'event-0' }).pages()) {
    pages.push(events.map(({ id }) => id));
    if (pages.length === 2) break;
  }

  t.deepEqual(pages, [['event-1', 'event-2'], ['event-3']]);
});

test('a feed continues after the last event of a response, even if the caller changes the array of events', async (t) => {
  const { seen, tillhook } = await serve(t, [page(1, 2), page(3)]);

  for await (const events of tillhook.events.follow({ after: 'event-0' }).pages()) {
    if (events.splice(0).some(({ id }) => id === 'event-3')) break;
  }

  t.deepEqual(
    queriesOf(seen).map(({ after }) => after),
    ['event-0', 'event-2'],
  );
});

test('an iteration over the list returns the newest events first on every page', async (t) => {
  const { seen, tillhook } = await serve(t, [
    { status: 200, body: { events: [event(9), event(8)], total: 3 } },
    { status: 200, body: { events: [event(7)], total: 1 } },
  ]);

  const events = await tillhook.events.list({ limit: 2, wait: 0 }).toArray({ max: 9 });

  t.deepEqual(
    events.map(({ id }) => id),
    ['event-9', 'event-8', 'event-7'],
  );
  t.deepEqual(queriesOf(seen), [
    { limit: '2', wait: '0' },
    { limit: '2', order: 'desc', after: 'event-8' },
  ]);
});

test('an iteration over the list that begins after an event returns the oldest events first', async (t) => {
  const { seen, tillhook } = await serve(t, [
    { status: 200, body: { events: [event(1), event(2)], total: 3 } },
    { status: 200, body: { events: [event(3)], total: 1 } },
  ]);

  await tillhook.events.list({ limit: 2, after: 'event-0' }).toArray({ max: 9 });

  t.deepEqual(queriesOf(seen), [
    { limit: '2', after: 'event-0' },
    { limit: '2', after: 'event-2' },
  ]);
});

const waits: Act = () => undefined;

async function serveHeld(t: Parameters<typeof serve>[0]) {
  const held = Promise.withResolvers<ServerResponse>();
  const served = await serve(t, [page(1), (response) => held.resolve(response)]);
  const closed = held.promise.then((response) => once(response, 'close'));
  return { ...served, held: held.promise, closed };
}

test('an abort signal ends the loop over a feed without an error, and aborts the waiting request', async (t) => {
  const { tillhook, held, closed } = await serveHeld(t);
  const stop = new AbortController();
  held.then(() => stop.abort());

  const ids: string[] = [];
  for await (const { id } of tillhook.events.follow({ after: 'event-0' }, { signal: stop.signal })) ids.push(id);

  t.deepEqual(ids, ['event-1']);
  await t.notThrowsAsync(closed);
});

test('an abort signal ends the loop over a feed before the next event of a response, and before the first request', async (t) => {
  const { seen, tillhook } = await serve(t, [page(1, 2, 3)]);
  const stop = new AbortController();

  const ids: string[] = [];
  for await (const { id } of tillhook.events.follow({ after: 'event-0' }, { signal: stop.signal })) {
    ids.push(id);
    stop.abort();
  }
  for await (const { id } of tillhook.events.follow({}, { signal: stop.signal })) ids.push(id);

  t.deepEqual(ids, ['event-1']);
  t.is(seen.length, 1);
});

test('return() aborts the waiting request, even while next() is pending', async (t) => {
  const { tillhook, held, closed } = await serveHeld(t);
  const events = tillhook.events.follow({ after: 'event-0' })[Symbol.asyncIterator]();
  await events.next();

  const next = events.next();
  await held;
  const ended = await events.return?.();

  t.deepEqual([ended, await next], Array(2).fill({ done: true, value: undefined }));
  await t.notThrowsAsync(closed);
});

test('`break` in a loop over a feed leaves no open request, and a new loop continues after the last event', async (t) => {
  const { seen, tillhook } = await serve(t, [page(1, 2), page(2, 3)]);

  const [last] = await take(tillhook.events.follow({ after: 'event-0' }), 1);
  t.is(seen.length, 1);

  t.deepEqual(await take(tillhook.events.follow({ after: last }), 2), ['event-2', 'event-3']);
  t.is(queriesOf(seen)[1]?.after, 'event-1');
});

test('the time limit of a client does not shorten the wait of a feed for events', async (t) => {
  const late: Act = (response) => {
    const body = JSON.stringify({ events: [event(1)], total: 1 });
    setTimeout(() => response.writeHead(200, { 'content-type': 'application/json' }).end(body), 400);
  };
  const { seen, tillhook } = await serve(t, [late], { timeoutMs: 100 });

  t.deepEqual(await take(tillhook.events.follow({ after: 'event-0', wait: 5 }), 1), ['event-1']);
  t.is(seen.length, 1);
});

test('when a waiting request times out without a response, the feed retries', async (t) => {
  const { seen, tillhook } = await serve(t, [waits, page(1)], { timeoutMs: 100 });

  t.deepEqual(await take(tillhook.events.follow({ after: 'event-0', wait: 0 }), 1), ['event-1']);
  t.true(seen.length >= 2);
});

const server = serverForFile();

/** Completes a payment without the hosted page, whose calls are rate-limited. */
async function payOnce(client: Tillhook): Promise<string> {
  const { data } = await client.checkout.create({ email: 'ada@example.com', amount: 500_000 });
  await client.testHelpers.completePayment(data.reference);
  return data.reference;
}

async function takeFromServer(feed: Feed<'listEvents'>, count: number): Promise<(string | null)[]> {
  const references: (string | null)[] = [];
  for await (const { reference } of feed) if (references.push(reference) === count) break;
  return references;
}

test('a feed returns every event once while the service restarts', async (t) => {
  const database = await createTestDatabase();
  t.teardown(() => database.drop());
  const env = testEnvironment(database.url, { SEED_DEMO: 'true', PORT: String(await freePort()) });
  const first = spawnTillhook(t, env);
  const key = await first.line('test key ');
  await first.line('ready');
  const retried = Promise.withResolvers<void>();
  const hooks = { retry: () => retried.resolve() };
  const client = new Tillhook(key, { baseUrl: await first.line('api '), hooks });

  const followed = takeFromServer(client.events.follow({ from: 'oldest' }), 4);
  const paid = [await payOnce(client), await payOnce(client)];
  first.kill('SIGTERM');
  await retried.promise;
  t.is((await first.ended).code, 0);
  await spawnTillhook(t, env).line('ready');
  paid.push(await payOnce(client), await payOnce(client));

  t.deepEqual(await followed, paid);
});

test('a feed with pages of two events returns every event of concurrent payments once', async (t) => {
  const { client } = await server().createMerchant();

  const followed = takeFromServer(client.events.follow({ from: 'oldest', limit: 2 }), 12);
  const paid = await Promise.all(Array.from({ length: 12 }, () => payOnce(client)));

  t.deepEqual((await followed).toSorted(), paid.toSorted());
});

test('by default, a feed returns the next event and no earlier event', async (t) => {
  const { client, testKey } = await server().createMerchant();
  const before = await payOnce(client);
  // An event that was just saved may appear in the list with a short delay.
  t.deepEqual(await takeFromServer(client.events.follow({ from: 'oldest' }), 1), [before]);
  const begun = Promise.withResolvers<void>();
  const hooks = { response: () => begun.resolve() };
  const own = new Tillhook(testKey, { baseUrl: server().url, hooks });

  const followed = takeFromServer(own.events.follow(), 1);
  await begun.promise;
  const next = await payOnce(client);

  t.deepEqual(await followed, [next]);
});

test('the loop over a feed throws an error for an unknown id in `after`', async (t) => {
  const { client } = await server().createMerchant();
  await payOnce(client);

  const after = '019aa3c7-0a1d-7c52-8f3a-1b2c3d4e5f60';
  const error = await t.throwsAsync(takeFromServer(client.events.follow({ after }), 1), {
    instanceOf: ValidationError,
  });

  t.is(error?.param, 'after');
});
