import { reachDatabase } from '@tillhook/server/src/database/connections.ts';
import { createRemoteBell, listenForBell } from '@tillhook/server/src/delivery/queue/bell.ts';
import { createLogger } from '@tillhook/server/src/kit/logger.ts';
import test from 'ava';
import { startCuttableProxy } from '../support/database/cuttable-proxy.ts';
import { createTestDatabase } from '../support/database/database.ts';
import { eventually } from '../support/eventually.ts';

test('a listener whose connection is dead opens a new one and listens on it', async (t) => {
  const { url, drop } = await createTestDatabase();
  const proxy = await startCuttableProxy(new URL(url));
  const log = createLogger('silent');
  let rings = 0;
  const dispatcher = { ring: () => rings++ };
  const database = reachDatabase(proxy.reach(url), { connectMs: 3000, statementMs: 1500 });
  const listener = listenForBell(dispatcher, { database, log });
  const bell = createRemoteBell({ database: reachDatabase(url), log });
  t.teardown(async () => {
    await Promise.all([listener.stop(), bell.stop()]);
    await proxy.cut();
    await drop();
  });
  // The bell rings once when it begins to listen.
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
  // No process rings. The new connection rings once, because notifications may have been missed.
  await eventually(
    () => rings,
    (seen) => seen > silentSince,
  );
  await t.notThrowsAsync(ringAndHear());
});
