/** `npm run chaos`: checks the promises of delivery while parts of the system fail. */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { readWholeNumber, rejectAfter, rejectOnSignal } from '../support/long-run.ts';
import { firedAlert } from './alerts/fired-alert.ts';
import { failover } from './failover/failover.ts';
import { hangingEndpoint } from './hanging-endpoint.ts';
import { interruptWayTo, startMongodb, startPostgres } from './interruptible.ts';
import { killedApi } from './killed-api.ts';
import { killedWorkers } from './killed-workers.ts';
import { manyWaiting } from './many-waiting.ts';
import { brokenPromises, type Ending, slowRecovery } from './outcome.ts';
import { pooler } from './pooler.ts';
import { type Played, publish, report } from './report.ts';
import { baseBackupIn, dumpIn } from './restore/backups.ts';
import { restore } from './restore/restore.ts';
import { silentDatabase } from './silent-database.ts';
import { slowEndpoints } from './slow-endpoints.ts';
import { soak } from './soak/soak.ts';
import { openStage, type Stage } from './stage.ts';
import { stoppedMongodb } from './stopped-mongodb.ts';
import { stoppedPostgres } from './stopped-postgres.ts';
import { twoWorkers } from './two-workers.ts';
import { upgrade } from './upgrade/upgrade.ts';

const mongodbProgram = fileURLToPath(new URL('../../test/services/mongo/dist/mongo', import.meta.url));

const { values: flags } = parseArgs({
  options: {
    deliveries: { type: 'string', default: '20000' },
    seconds: { type: 'string', default: '20' },
    minutes: { type: 'string' },
    waiting: { type: 'string', default: '1000000' },
    from: { type: 'string' },
    only: { type: 'string' },
    publish: { type: 'boolean', default: false },
  },
});
const deliveries = readWholeNumber('deliveries', flags.deliveries);
const seconds = readWholeNumber('seconds', flags.seconds);
const waiting = readWholeNumber('waiting', flags.waiting);
const minutes = readWholeNumber('minutes', flags.minutes ?? 30);
const maxMs = 2_700_000 + (isWanted('soak') ? (minutes + 5) * 60_000 : 0);

const scenarios: Record<string, (stage: Stage) => Promise<Ending | Ending[]>> = {
  'two-workers': (stage) => twoWorkers(stage, { deliveries }),
  'killed-workers': (stage) => killedWorkers(stage, { deliveries, kills: seconds, everyMs: 1000 }),
  'killed-api': (stage) => killedApi(stage, { kills: Math.ceil(seconds / 2), loadMs: 1000 }),
  postgres: (stage) =>
    stoppedPostgres(stage, { workers: 2, deliveries, outages: 4, awayMs: 3000, loadMs: (seconds * 1000) / 8 }),
  silent: (stage) =>
    silentDatabase(stage, { workers: 2, deliveries, outages: 4, awayMs: 3000, loadMs: (seconds * 1000) / 8 }),
  failover: (stage) => failover(stage, { workers: 2, deliveries, awayMs: 0, loadMs: (seconds * 1000) / 8 }),
  pooler: (stage) => pooler(stage, { workers: 2, deliveries, outages: 4, awayMs: 3000, loadMs: (seconds * 1000) / 8 }),
  mongodb: (stage) => stoppedMongodb(stage, { workers: 2, deliveries, awayMs: (seconds * 1000) / 2 }),
  hanging: (stage) =>
    hangingEndpoint(stage, {
      endpoints: 100,
      deliveries: Math.min(deliveries, seconds * 200),
      perSecond: 400,
      isTimed: true,
    }),
  slow: (stage) =>
    slowEndpoints(stage, {
      answerMs: 14_000,
      waiting: 640,
      eventsPerSecond: 0,
      withoutMs: seconds * 1000,
      besideMs: seconds * 3000,
      isTimed: true,
    }),
  'slow-often': (stage) =>
    slowEndpoints(stage, {
      answerMs: 3000,
      waiting: 0,
      eventsPerSecond: 7,
      withoutMs: seconds * 1000,
      besideMs: seconds * 2000,
      isTimed: true,
    }),
  alerts: (stage) => firedAlert(stage),
  restore: (stage) => restore(stage, dumpIn, { deliveries: deliveries / 10, loadMs: seconds * 250 }),
  'restore-moment': (stage) => restore(stage, baseBackupIn, { deliveries: deliveries / 10, loadMs: seconds * 250 }),
  upgrade: (stage) => upgrade(stage, { from: flags.from, loadMs: seconds * 250 }),
  soak: (stage) => soak(stage, { minutes }),
  waiting: (stage) => manyWaiting(stage, { waiting }),
};

const running = new AsyncDisposableStack();
let exitCode = 1;
try {
  exitCode = await Promise.race([
    playAll(),
    rejectOnSignal(),
    rejectAfter(maxMs, 'The run took too long, because --deliveries is too high.'),
  ]);
} catch (error) {
  console.error(error);
}
await running.disposeAsync();
process.exit(exitCode);

async function playAll(): Promise<number> {
  const postgres = await startPostgres(running);
  const played: Played[] = [];
  for (const [name, play] of wanted()) {
    console.error(`${name} …`);
    const stageRunning = running.use(new AsyncDisposableStack());
    const stage = openStage(stageRunning, {
      databaseUrl: postgres.url,
      postgres,
      startMongodb: mongodbFor(stageRunning),
    });
    const endings = [await play(stage)].flat().map((ending) => ({ name, ending }));
    await stageRunning.disposeAsync();
    // The results are published after each scenario, so that a later failure loses no results.
    if (flags.publish) publish(endings, { deliveries, seconds, waiting }, Object.keys(scenarios));
    played.push(...endings);
  }
  report(played, { deliveries, seconds, waiting });
  return played.some(({ ending }) => brokenPromises(ending).length + slowRecovery(ending).length > 0) ? 1 : 0;
}

function wanted() {
  const names = flags.only?.split(',') ?? Object.keys(scenarios);
  const unknown = names.filter((name) => !(name in scenarios));
  if (unknown.length > 0)
    throw new Error(`--only names unknown scenarios: ${unknown}. The scenarios are ${Object.keys(scenarios)}.`);
  return Object.entries(scenarios).filter(([name]) => isWanted(name));
}

/** The soak runs only with `--minutes` or `--only soak`, because it takes as long as all other scenarios. */
function isWanted(name: string): boolean {
  if (flags.only) return flags.only.split(',').includes(name);
  return name !== 'soak' || flags.minutes !== undefined;
}

/** If only the URL of a running MongoDB is set, the scenario cuts the connections to it, and does not kill it. */
function mongodbFor(running: AsyncDisposableStack): Stage['startMongodb'] {
  const { MONGODB_SERVER = mongodbProgram, MONGODB_TEST_URL } = process.env;
  if (existsSync(MONGODB_SERVER)) return () => startMongodb(running, MONGODB_SERVER);
  if (!MONGODB_TEST_URL)
    return 'there is no MongoDB: build test/services/mongo, or set MONGODB_SERVER or MONGODB_TEST_URL';
  return () => interruptWayTo(MONGODB_TEST_URL, running);
}
