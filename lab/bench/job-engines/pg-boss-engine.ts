/** Runs pg-boss with its fastest settings: a separate table for the queue, full batches, and fast polling. */
import { PgBoss } from 'pg-boss';
import { inPieces, type JobPayload, jobsInFlight, post, serveOrders } from './job-engine.ts';

const [, , connectionString = ''] = process.argv;
const queue = 'post';
/** The fastest batch size between 16 and 256, with the same total number of jobs in flight. */
const batchSize = 64;

const boss = new PgBoss({ connectionString, max: 10, schedule: false });
boss.on('error', (error) => console.error(error));
await boss.start();
await boss.createQueue(queue, { partition: true });
const jobTable = `pgboss.${(await boss.getQueue(queue))?.table}`;
const database = boss.getDb();

serveOrders({
  async enqueue(jobs, payload) {
    await database.executeSql(`truncate ${jobTable}`);
    for (const piece of inPieces(jobs, { data: payload })) await boss.insert(queue, piece);
    await database.executeSql(`vacuum analyze ${jobTable}`);
  },
  async start() {
    const options = {
      batchSize,
      localConcurrency: jobsInFlight / batchSize,
      burstWhenBatchFull: true,
      pollingIntervalSeconds: 0.5,
    };
    await boss.work<JobPayload>(queue, options, async (jobs) => {
      await Promise.all(jobs.map(({ data }) => post(data)));
    });
  },
  async countLeft() {
    const { rows } = await database.executeSql(
      `select count(*)::int as count from ${jobTable} where state <> 'completed'`,
    );
    return rows[0].count;
  },
  async stop() {
    await boss.offWork(queue);
  },
});
