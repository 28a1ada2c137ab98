/** How the loop over a feed ends, and for how long its requests may wait. */
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import test from 'ava';
import { event, page, queriesOf, take } from './event-feed.ts';
import { type Act, serve } from './scripted-server.ts';

const waits: Act = () => undefined;

/** A server with one event, which then holds the request; and what happens to that request. */
async function serveHeld(t: Parameters<typeof serve>[0]) {
  const held = Promise.withResolvers<ServerResponse>();
  const served = await serve(t, [page(1), (response) => held.resolve(response)]);
  const closed = held.promise.then((response) => once(response, 'close'));
  return { ...served, held: held.promise, closed };
}

test('the signal ends the loop quietly, and the request that waits', async (t) => {
  const { tillhook, held, closed } = await serveHeld(t);
  const stop = new AbortController();
  held.then(() => stop.abort());

  const ids: string[] = [];
  for await (const { id } of tillhook.events.follow({ after: 'event-0' }, { signal: stop.signal })) ids.push(id);

  t.deepEqual(ids, ['event-1']);
  await t.notThrowsAsync(closed);
});

test('the signal ends the loop before the next event of an answer, and before the first request', async (t) => {
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

test('return ends the request that waits, also while its event is awaited', async (t) => {
  const { tillhook, held, closed } = await serveHeld(t);
  const events = tillhook.events.follow({ after: 'event-0' })[Symbol.asyncIterator]();
  await events.next();

  const next = events.next();
  await held;
  const ended = await events.return?.();

  t.deepEqual([ended, await next], Array(2).fill({ done: true, value: undefined }));
  await t.notThrowsAsync(closed);
});

test('break leaves no request behind, and a new loop continues after the last event', async (t) => {
  const { seen, tillhook } = await serve(t, [page(1, 2), page(2, 3)]);

  const [last] = await take(tillhook.events.follow({ after: 'event-0' }), 1);
  t.is(seen.length, 1);

  t.deepEqual(await take(tillhook.events.follow({ after: last }), 2), ['event-2', 'event-3']);
  t.is(queriesOf(seen)[1]?.after, 'event-1');
});

test('the time limit of a client does not cut off the wait', async (t) => {
  const late: Act = (response) => {
    const body = JSON.stringify({ events: [event(1)], total: 1 });
    setTimeout(() => response.writeHead(200, { 'content-type': 'application/json' }).end(body), 400);
  };
  const { seen, tillhook } = await serve(t, [late], { timeoutMs: 100 });

  t.deepEqual(await take(tillhook.events.follow({ after: 'event-0', wait: 5 }), 1), ['event-1']);
  t.is(seen.length, 1);
});

test('a wait that gets no answer is ended by the time limit, and asked for again', async (t) => {
  const { seen, tillhook } = await serve(t, [waits, page(1)], { timeoutMs: 100 });

  t.deepEqual(await take(tillhook.events.follow({ after: 'event-0', wait: 0 }), 1), ['event-1']);
  t.true(seen.length >= 2);
});
