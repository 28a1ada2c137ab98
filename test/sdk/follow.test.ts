/** Which events a feed gives, from where it begins, and over which errors it continues. */
import { ValidationError } from '@tillhook/sdk';
import test from 'ava';
import { event, follows, page, queriesOf, take } from './event-feed.ts';
import { type Act, failure, serve } from './scripted-server.ts';

test('a feed begins now: it asks for the newest event, and then for those that follow it', async (t) => {
  const { seen, tillhook } = await serve(t, [page(7), page(8, 9), page(10)]);

  const ids = await take(tillhook.events.follow({ event: 'refund.failed' }), 3);

  t.deepEqual(ids, ['event-8', 'event-9', 'event-10']);
  t.deepEqual(queriesOf(seen), [
    { order: 'desc', limit: '1', wait: '0' },
    { ...follows, event: 'refund.failed', after: 'event-7' },
    { ...follows, event: 'refund.failed', after: 'event-9' },
  ]);
});

test('a feed that begins before the first event begins with the first event', async (t) => {
  const { seen, tillhook } = await serve(t, [page(), page(1), page(2)]);

  t.deepEqual(await take(tillhook.events.follow(), 2), ['event-1', 'event-2']);
  t.deepEqual(queriesOf(seen).slice(1), [
    { ...follows, order: 'asc' },
    { ...follows, after: 'event-1' },
  ]);
});

test('a feed begins after the last event of the caller, with the oldest event, or at a time', async (t) => {
  const from = '2026-11-20T00:00:00.000Z';
  const beginnings = [
    [{ after: 'event-4', from: 'oldest' }, { after: 'event-4' }],
    [{ after: null, from: 'oldest' }, { order: 'asc' }],
    [{ from }, { order: 'asc', from }],
  ] as const;

  for (const [query, asked] of beginnings) {
    const { seen, tillhook } = await serve(t, [page(5), page(6)]);
    await take(tillhook.events.follow(query), 2);
    t.deepEqual(queriesOf(seen), [
      { ...follows, ...asked },
      { ...follows, after: 'event-5' },
    ]);
  }
});

test('no event is lost or comes twice over lost connections, 429, 500 and 503, however many there are', async (t) => {
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
  test(`${status} is thrown in the loop, because only the caller can help`, async (t) => {
    const { tillhook } = await serve(t, [page(1), failure(status, type, code)]);

    const ids: string[] = [];
    const run = async () => {
      for await (const { id } of tillhook.events.follow({ after: 'event-0' })) ids.push(id);
    };

    t.like(await t.throwsAsync(run()), { status, code });
    t.deepEqual(ids, ['event-1']);
  });
}

/** The answer when the service has no event with the id that was sent as `after`. */
const unknownAfter: Act = {
  ...failure(400, 'validation_error', 'invalid_parameter'),
  body: {
    success: false,
    message: 'after is the id of none of your records',
    error: { type: 'validation_error', code: 'invalid_parameter', param: 'after', details: [], docUrl: 'http://a/' },
    requestId: 'req_1',
  },
};

test('an after that the service does not have is thrown, also a new one that an answer had', async (t) => {
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

test('nothing is asked for while the program handles the events that it has', async (t) => {
  const { seen, baseUrl, tillhook } = await serve(t, [page(1, 2), page(3)]);
  const askedWhile: number[] = [];

  for await (const { id } of tillhook.events.follow({ after: 'event-0' })) {
    if (id === 'event-3') break;
    // Three calls take longer than a request that the feed would have sent.
    for (let call = 0; call < 3; call++) await fetch(new URL('/other', baseUrl)).then((answer) => answer.text());
    askedWhile.push(seen.filter(({ url }) => url.startsWith('/api')).length);
  }

  t.deepEqual(askedWhile, [1, 1]);
});

test('pages gives the events of each answer together, and leaves empty answers out', async (t) => {
  const { tillhook } = await serve(t, [page(1, 2), page(), page(3)]);

  const pages: string[][] = [];
  for await (const events of tillhook.events.follow({ after: 'event-0' }).pages()) {
    pages.push(events.map(({ id }) => id));
    if (pages.length === 2) break;
  }

  t.deepEqual(pages, [['event-1', 'event-2'], ['event-3']]);
});

test('a feed goes on after the last event of an answer, whatever the caller does with the array', async (t) => {
  const { seen, tillhook } = await serve(t, [page(1, 2), page(3)]);

  for await (const events of tillhook.events.follow({ after: 'event-0' }).pages()) {
    if (events.splice(0).some(({ id }) => id === 'event-3')) break;
  }

  t.deepEqual(
    queriesOf(seen).map(({ after }) => after),
    ['event-0', 'event-2'],
  );
});

test('an iteration of the list stays newest first, although after alone would turn it around', async (t) => {
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

test('an iteration of the list that begins after an event goes on oldest first', async (t) => {
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
