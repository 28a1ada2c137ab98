/** Tests a database that was restored in another Postgres cluster, which numbers its transactions differently. */
import { Tillhook } from '@tillhook/sdk';
import { loadConfig, startTillhook } from '@tillhook/server';
import { StartError } from '@tillhook/server/src/kit/errors.ts';
import test, { type ExecutionContext } from 'ava';
import { holdEvent, insertEvent } from '../../support/events/held-event.ts';
import { eventually } from '../../support/eventually.ts';
import { payOnce } from '../../support/receivers/deliveries.ts';
import { testEnvironment } from '../../support/server/environment.ts';
import { type DedicatedServer, startServer } from '../../support/server/tillhook.ts';

/** A transaction id that is far higher than all transactions that the Postgres of the tests has had. */
const otherCluster = 1_000_000_000_000n;

async function restoreInAnotherCluster({ database, stop }: DedicatedServer): Promise<void> {
  await stop();
  await database.query('update event set feed_position = feed_position + $1', [otherCluster]);
  await database.query('update event_order set cluster_identifier = 1');
}

async function startAgain(t: ExecutionContext, { database }: DedicatedServer, env: Record<string, string> = {}) {
  const server = await startTillhook(loadConfig(testEnvironment(database.url, { ROLE: 'api', ...env })));
  t.teardown(() => server.stop());
  return server;
}

const idsAfter = async (client: Tillhook, after: string) =>
  (await client.events.list({ after })).events.map(({ id }) => id);

test('restored events keep their order, and new events come after them', async (t) => {
  const server = await startServer(t, { ROLE: 'api' });
  const merchant = await server.createMerchant();
  const late = await holdEvent(t, server, { merchant });
  const early = await insertEvent(t, server, { merchant, at: new Date(Date.now() - 1000) });
  await late.commit();
  await restoreInAnotherCluster(server);

  const restored = await startAgain(t, server, { MIGRATE_ON_START: 'true' });

  const client = new Tillhook(merchant.testKey, { baseUrl: restored.url });
  // The event with the lower id committed first and has the higher position.
  const order = await eventually(
    async () => (await client.events.list({ order: 'asc' })).events.map(({ id }) => id),
    ({ length }) => length === 2,
  );
  t.deepEqual(order, [late.id, early]);
  await payOnce(client);
  const [added = ''] = await eventually(
    () => idsAfter(client, early),
    ({ length }) => length === 1,
  );
  t.deepEqual(await idsAfter(client, late.id), [early, added]);
  await payOnce(client);
  t.is(
    (
      await eventually(
        () => idsAfter(client, added),
        ({ length }) => length === 1,
      )
    ).length,
    1,
  );
});

test('the next start in the same cluster shifts no positions of events', async (t) => {
  const server = await startServer(t, { ROLE: 'api', MIGRATE_ON_START: 'true' });
  const merchant = await server.createMerchant();
  await insertEvent(t, server, { merchant });
  await restoreInAnotherCluster(server);
  await (await startAgain(t, server, { MIGRATE_ON_START: 'true' })).stop();
  const shift = () => server.database.query('select position_shift, cluster_identifier from event_order');
  const before = await shift();
  await insertEvent(t, server, { merchant });

  await startAgain(t, server, { MIGRATE_ON_START: 'true' });

  t.deepEqual(await shift(), before);
  t.true(Number((before[0] as { position_shift: string }).position_shift) > 900_000_000_000);
});

test('a server with MIGRATE_ON_START=false says what to do after a restore', async (t) => {
  const server = await startServer(t, { ROLE: 'api' });
  await restoreInAnotherCluster(server);

  const error = await t.throwsAsync(startAgain(t, server, { MIGRATE_ON_START: 'false' }), { instanceOf: StartError });

  t.regex(String(error?.message), /restored in another cluster of Postgres\. Run npm run db:migrate/);
});
