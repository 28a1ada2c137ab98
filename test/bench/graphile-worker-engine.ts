/**
 * graphile-worker as its page on performance has it: jobs come in batches through a local queue, completions are saved in
 * batches without delay, statements are prepared. Its argument is a database of its own.
 */
import { Logger, makeWorkerUtils, type Runner, run } from 'graphile-worker';
import { Pool } from 'pg';
import { inPieces, type JobPayload, jobsInFlight, obey, post } from './job-engine.ts';

const [, , databaseUrl] = process.argv;
const pgPool = new Pool({ connectionString: databaseUrl, max: 10 });
pgPool.on('error', () => {});
pgPool.on('connect', (client) => client.on('error', () => {}));
/** Twice what its page has, for ten times the jobs at once; more only moves the fetching to before the first receipt. */
const localQueueSize = 1000;
/** It would write two lines a job. */
const logger = new Logger(() => () => {});
const utils = await makeWorkerUtils({ pgPool, logger });
await utils.migrate();
let runner: Runner | undefined;

obey({
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
