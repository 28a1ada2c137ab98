import './unobserved.ts';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { startMock } from '@tillhook/mock/api';
import { startReceiver } from '@tillhook/mock/receiver';
import { Tillhook, ValidationError } from '@tillhook/sdk';
import test, { type ExecutionContext } from 'ava';
import { contractFetch } from '../support/calls/contract-fetch.ts';
import { eventually } from '../support/eventually.ts';

async function start(t: ExecutionContext) {
  const answered: string[] = [];
  const mock = await startMock({ onAnswer: (line) => void answered.push(line) });
  const receiver = await startReceiver();
  t.teardown(() => Promise.all([mock.stop(), receiver.stop()]));
  const client = new Tillhook('sk_test_mock', { baseUrl: mock.url, fetch: contractFetch });
  const send = async (reference: string) => {
    const headers = { 'Content-Type': 'application/json' };
    const body = JSON.stringify({ event: 'checkout.success', url: receiver.url, data: { reference } });
    const answer = await fetch(`${mock.url}/__mock/events`, { method: 'POST', headers, body });
    return (await answer.json()) as { eventId: string };
  };
  return { client, send, answered };
}

test('a program that follows the mock gets all its events, oldest first, and then each one that the mock sends', async (t) => {
  const { client, send } = await start(t);
  const newestFirst = await client.events.list().toArray({ max: 100 });

  const ids: string[] = [];
  let sending: Promise<{ eventId: string }[]> | undefined;
  for await (const { id } of client.events.follow({ from: 'oldest' })) {
    ids.push(id);
    if (ids.length === newestFirst.length) sending = Promise.all([send('order-1'), send('order-2')]);
    if (ids.length === newestFirst.length + 2) break;
  }

  t.deepEqual(ids.slice(0, newestFirst.length), newestFirst.map(({ id }) => id).reverse());
  const sent = (await sending)?.map(({ eventId }) => eventId);
  t.deepEqual(ids.slice(newestFirst.length).sort(), sent?.sort());
});

test('an empty answer is held until the mock sends an event', async (t) => {
  const { client, send, answered } = await start(t);
  const [newest] = (await client.events.list({ limit: 1 })).events;
  const after = newest?.id ?? '';

  const held = client.events.list({ after, wait: 25 }).result();
  await client.events.list({ limit: 2 });
  t.deepEqual(
    answered.filter((line) => line.includes('wait=25')),
    [],
  );
  const { eventId } = await send('order-1');

  const later = client.events.list({ after: eventId, wait: 5 }).result();
  t.is(await Promise.race([held, later]).then(({ data: first }) => first?.total), 1);
  const { data } = await held;
  t.like(data, { events: [{ id: eventId, reference: 'order-1', event: 'checkout.success' }], total: 1 });
  await eventually(
    () => client.events.get(eventId).then(async () => (await client.events.list({ limit: 1 })).events[0]?.deliveries),
    (deliveries) => deliveries?.delivered === 1,
  );
});

test('the command that sends an event adds none to the list of a running mock, as its guide says', async (t) => {
  const { client } = await start(t);
  const receiver = await startReceiver();
  t.teardown(() => receiver.stop());
  const before = await client.events.list();
  const file = new URL('../../mock/src/commands/mock.ts', import.meta.url).pathname;
  const args = ['--conditions=@tillhook/source', file, 'event', 'checkout.success', '--to', receiver.url];

  await promisify(execFile)(process.execPath, args, { timeout: 60_000 });

  t.is(receiver.deliveries.length, 1);
  t.deepEqual(await client.events.list(), before);
  const guide = readFileSync(new URL('../../server/src/docs-portal/guides/mock.md', import.meta.url), 'utf8');
  const [, ofCommand = '', ofCall = ''] = /mock:event -- (.*?)A program sends(.*?)```sh/s.exec(guide) ?? [];
  t.regex(ofCommand, /the event is not in `listEvents`/);
  t.regex(
    ofCall,
    /adds the event to its `listEvents`,\s+and answers calls of `listEvents` that wait for it with `wait`/,
  );
});

test('the answer is empty when the wait is over, and comes at once when there is a next event', async (t) => {
  const { client } = await start(t);
  const [newest, previous] = (await client.events.list()).events;

  t.deepEqual(await client.events.list({ after: newest?.id ?? '', wait: 1 }), { events: [], total: 0 });
  const next = await client.events.list({ after: previous?.id ?? '', wait: 25 });
  t.deepEqual(next, { events: newest ? [newest] : [], total: 1 });
});

test('the mock goes back from an event with order=desc, and refuses what the contract refuses', async (t) => {
  const { client } = await start(t);
  const [newest, previous] = (await client.events.list()).events;
  const after = newest?.id ?? '';

  const { events, total } = await client.events.list({ after, order: 'desc', limit: 1 });
  t.deepEqual([events, total], [[previous], 2]);
  for (const [query, param] of [
    [{ wait: 26 }, 'wait'],
    [{ after, order: 'desc', wait: 1 }, 'wait'],
    [{ wait: 1, offset: 3 }, 'offset'],
    [{ after: '00000000-0000-7000-8000-0000000000aa' }, 'after'],
  ] as const) {
    const error = await t.throwsAsync(client.events.list(query), { instanceOf: ValidationError });
    t.is(error?.param, param);
  }
});
