import test, { type ExecutionContext } from 'ava';
import { startPostgres } from './interruptible.ts';
import { killedWorkers } from './killed-workers.ts';
import { brokenPromises, type Ending } from './outcome.ts';
import { openStage, type Stage } from './stage.ts';
import { stoppedPostgres } from './stopped-postgres.ts';

// Tests run only two short scenarios of `npm run chaos`, because each start of a server takes seconds of CPU time.

async function keepsPromises(t: ExecutionContext, play: (stage: Stage) => Promise<Ending>): Promise<void> {
  const running = new AsyncDisposableStack();
  t.teardown(() => running.disposeAsync());
  const postgres = await startPostgres(running);
  const stage = openStage(running, {
    databaseUrl: postgres.url,
    postgres,
    startMongodb: 'exhaustive/mongodb.test.ts tests an outage of MongoDB',
    // With few deliveries in flight, most due deliveries are not yet claimed when a worker is killed.
    inFlight: 16,
  });

  const ending = await play(stage);

  t.deepEqual(brokenPromises(ending), []);
  if ('notRun' in ending) return t.fail(ending.notRun);
  const { expected, duplicated, duplicates, notes } = ending;
  t.log(
    `${expected} expected, ${duplicated} sent twice of ${duplicates.max} ${duplicates.because}; ${notes.join('; ')}`,
  );
}

test('kill −9 of workers that are sending loses no delivery, and only deliveries that were claimed at a kill are sent twice', (t) =>
  keepsPromises(t, (stage) => killedWorkers(stage, { deliveries: 800, kills: 2, everyMs: 200 })));

test('an outage of Postgres under load loses no payment and no delivery, and ends without a restart', (t) =>
  keepsPromises(t, (stage) =>
    stoppedPostgres(stage, { workers: 0, deliveries: 300, outages: 1, awayMs: 500, loadMs: 0 }),
  ));
