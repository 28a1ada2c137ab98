/** Runs graphile-worker with the settings that its documentation recommends for performance. */
import { Logger, makeWorkerUtils, type Runner, run } from 'graphile-worker';
import { Pool } from 'pg';
import { inPieces, type JobPayload, jobsInFlight, post, serveOrders } from './job-engine.ts';

const [, , databaseUrl] = process.argv;
const pgPool = new Pool({ connectionString: databaseUrl, max: 10 });
pgPool.on('error', () => {});
pgPool.on('connect', (client) => client.on('error', () => {}));
/** A local queue twice as long as in graphile-worker's documentation. A longer queue only fetches jobs too early. */
const localQueueSize = 1000;
/** The default logger of graphile-worker writes two lines for each job. */
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
