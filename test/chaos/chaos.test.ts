import test, { type ExecutionContext } from 'ava';
import { createTestDatabase } from '../support/database/database.ts';
import { interruptWayTo } from './interruptible.ts';
import { killedWorkers } from './killed-workers.ts';
import { brokenPromises, type Ending } from './outcome.ts';
import { openStage, type Stage } from './stage.ts';
import { stoppedPostgres } from './stopped-postgres.ts';

// Scenarios of `npm run chaos`, as short as they can be and still break something: a start of a server costs seconds of CPU.
// Speed is no promise here, because a test shares its machine. Endpoints that hang, claims that meet and a
// schedule without its store are in delivery/, payments that are cut anywhere in money/.

async function keeps(t: ExecutionContext, play: (stage: Stage) => Promise<Ending>): Promise<void> {
  const database = await createTestDatabase();
  const running = new AsyncDisposableStack();
  t.teardown(async () => {
    await running.disposeAsync();
    await database.drop();
  });
  const stage = openStage(running, {
    databaseUrl: database.url,
    postgres: await interruptWayTo(database.url, running),
    startMongodb: 'delivery/schedule-store takes it away',
    // So few that most of what is owed is not claimed at any kill.
    inFlight: 16,
  });

  const ending = await play(stage);

  t.deepEqual(brokenPromises(ending), []);
  if ('notRun' in ending) return t.fail(ending.notRun);
  const { owed, duplicated, duplicates, notes } = ending;
  t.log(`${owed} owed, ${duplicated} sent twice of ${duplicates.most} ${duplicates.because}; ${notes.join('; ')}`);
}

test('kill −9 of workers in the middle of sending loses nothing, and sends twice only what was claimed at a kill', (t) =>
  keeps(t, (stage) => killedWorkers(stage, { deliveries: 800, kills: 2, everyMs: 200 })));

test('an outage of Postgres under load loses no payment and no delivery, and ends without a restart', (t) =>
  keeps(t, (stage) => stoppedPostgres(stage, { workers: 0, deliveries: 300, outages: 1, awayMs: 500, loadMs: 0 })));
