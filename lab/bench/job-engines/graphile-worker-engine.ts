/**
 * Runs graphile-worker with the settings of its documentation on performance: graphile-worker fetches jobs in batches
 * into a local queue, saves completions in batches without delay, and uses prepared statements. The argument is the
 * URL of its database.
 */
import { Logger, makeWorkerUtils, type Runner, run } from 'graphile-worker';
import { Pool } from 'pg';
import { inPieces, type JobPayload, jobsInFlight, post, serveOrders } from './job-engine.ts';

const [, , databaseUrl] = process.argv;
const pgPool = new Pool({ connectionString: databaseUrl, max: 10 });
pgPool.on('error', () => {});
pgPool.on('connect', (client) => client.on('error', () => {}));
/**
 * The size of the local queue, twice the size in the example of the documentation, although ten times as many jobs run
 * at the same time. A larger queue would only fetch more jobs before the measurement starts.
 */
const localQueueSize = 1000;
/** A logger that writes nothing. The default logger writes two lines for each job. */
const logger = new Logger(() => () => {});
const utils = await makeWorkerUtils({ pgPool, logger });
await utils.migrate();
let runner: Runner | undefined;

serveOrders({
  async enqueue(jobs, payload) {
    await pgPool.query('truncate graphile_worker._private_jobs');
    for (const piece of inPieces(jobs, { identifier: 'post', payload })) await utils.addJobs(piece);
    await pgPool.query('vacuum analyze graphile_worker._private_jobs');
  },
  async start() {
    runner = await run({
      pgPool,
      logger,
      noHandleSignals: true,
      taskList: { post: (payload) => post(payload as JobPayload) },
      preset: {
        worker: {
          concurrentJobs: jobsInFlight,
          localQueue: { size: localQueueSize },
          completeJobBatchDelay: 0,
          failJobBatchDelay: 0,
        },
      },
    });
  },
  async countLeft() {
    const { rows } = await pgPool.query('select count(*)::int as count from graphile_worker._private_jobs');
    return rows[0].count;
  },
  async stop() {
    await runner?.stop();
  },
});
