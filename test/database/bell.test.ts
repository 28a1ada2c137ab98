import type { DueDelivery } from '@tillhook/server/src/context.ts';
import { newId } from '@tillhook/server/src/kit/ids.ts';
import { createLogger } from '@tillhook/server/src/kit/logger.ts';
import { reachDatabase } from '@tillhook/server/src/platform/database/connection/connections.ts';
import { createRemoteBell, listenForBell } from '@tillhook/server/src/webhooks/queue/bell.ts';
import test, { type ExecutionContext } from 'ava';
import { createTestDatabase, openTestDatabase } from '../support/database/database.ts';
import { eventually } from '../support/eventually.ts';
import { startCuttableProxy } from '../support/network/cuttable-proxy.ts';

test('a listener whose connection is dead opens a new connection and listens on it', async (t) => {
  const { url, drop } = await createTestDatabase();
  const proxy = await startCuttableProxy(new URL(url));
  const log = createLogger('silent');
  let rings = 0;
  const dispatcher = { ring: () => rings++, ringFor() {} };
  const database = reachDatabase(proxy.reach(url), { connectMs: 3000, statementMs: 1500 });
  const listener = listenForBell(dispatcher, { database, log });
  const bell = createRemoteBell({ database: reachDatabase(url), log });
  t.teardown(async () => {
    await Promise.all([listener.stop(), bell.stop()]);
    await proxy.cut();
    await drop();
  });
  // The bell rings once when the listener begins to listen.
  await eventually(
    () => rings,
    (seen) => seen > 0,
  );
  const ringAndHear = async () => {
    const before = rings;
    bell.ring();
    await eventually(
      () => rings,
      (seen) => seen > before,
    );
  };
  await ringAndHear();

  proxy.hang();
  await proxy.restore();

  const silentSince = rings;
  // The listener rings after it has connected again, because it may have missed notifications.
  await eventually(
    () => rings,
    (seen) => seen > silentSince,
  );
  await t.notThrowsAsync(ringAndHear());
});

async function startHearing(t: ExecutionContext) {
  const { url, drop } = await createTestDatabase();
  const log = createLogger('silent');
  const heard: string[] = [];
  const dispatcher = {
    ring: () => void heard.push('wake-up'),
    ringFor: (due: readonly DueDelivery[]) => void heard.push(due.map(({ id }) => id).join()),
  };
  const listener = listenForBell(dispatcher, { database: reachDatabase(url), log, name: newId() });
  const bell = createRemoteBell({ database: reachDatabase(url), log, name: newId() });
  const database = openTestDatabase(url);
  t.teardown(async () => {
    await Promise.all([listener.stop(), bell.stop(), database.close()]);
    await drop();
  });
  await eventually(() => heard, ['wake-up']);
  heard.length = 0;
  return { bell, heard, database };
}

const newDue = (): DueDelivery => ({ id: newId(), endpointId: newId() });

test('a notification names the deliveries of all wake-ups since the previous notification', async (t) => {
  const { bell, heard } = await startHearing(t);
  const [first, second, third] = [newDue(), newDue(), newDue()];

  // The first notification is sent immediately. The other wake-ups come while it is being sent.
  for (const due of [first, second, third]) bell.ringFor([due]);

  const expected = [first.id, [second.id, third.id].join()];
  t.deepEqual(await eventually(() => heard, expected), expected);
});

test('a notification names no deliveries when one of its wake-ups names no delivery', async (t) => {
  const { bell, heard } = await startHearing(t);
  const first = newDue();

  bell.ringFor([first]);
  bell.ringFor([newDue()]);
  bell.ring();

  await eventually(() => heard, [first.id, 'wake-up']);
  bell.ringFor([first]);
  const expected = [first.id, 'wake-up', first.id];
  t.deepEqual(await eventually(() => heard, expected), expected);
});

test('a notification names no deliveries when its text would be too long for Postgres', async (t) => {
  const { bell, heard } = await startHearing(t);
  const fitting = Array.from({ length: 90 }, newDue);

  bell.ringFor([...fitting, newDue()]);
  await eventually(() => heard, ['wake-up']);
  bell.ringFor(fitting);

  const expected = ['wake-up', fitting.map(({ id }) => id).join()];
  t.deepEqual(await eventually(() => heard, expected), expected);
});

for (const text of ['', 'a name', '{', 'null', '{"from":"a","due":[["no id","no id"]]}', '{"from":"a","due":[null]}'])
  test(`a notification with the text ${JSON.stringify(text)} wakes the dispatcher`, async (t) => {
    const { heard, database } = await startHearing(t);

    await database.query('select pg_notify($1, $2)', ['tillhook_delivery', text]);

    t.deepEqual(await eventually(() => heard, ['wake-up']), ['wake-up']);
  });
