/** Runs Agenda with one job for each delivery, and as many concurrent jobs as our worker has deliveries in flight. */
import { PostgresBackend } from '@agendajs/postgres-backend';
import { Agenda } from 'agenda';
import { Pool } from 'pg';
import { type JobPayload, jobsInFlight, post, serveOrders } from './job-engine.ts';

const [, , connectionString] = process.argv;
/** The fastest polling interval between 10 and 500 milliseconds. */
const processEvery = 100;
const pool = new Pool({ connectionString, max: 20 });
pool.on('error', () => {});
const job = 'post';
const newAgenda = () =>
  new Agenda({
    backend: new PostgresBackend({ pool, disableNotifications: true }),
    processEvery,
    maxConcurrency: jobsInFlight,
    defaultConcurrency: jobsInFlight,
    lockLimit: jobsInFlight,
    defaultLockLimit: jobsInFlight,
  });

const enqueuer = newAgenda();
await enqueuer.ready;
let agenda: Agenda | undefined;

serveOrders({
  async enqueue(jobs, payload) {
    await pool.query('truncate agenda_jobs');
    let left = jobs;
    const enqueueInTurn = async () => {
      while (left-- > 0) await enqueuer.now(job, payload);
    };
    await Promise.all(Array.from({ length: pool.options.max }, enqueueInTurn));
    await pool.query('vacuum analyze agenda_jobs');
  },
  async start() {
    agenda = newAgenda();
    agenda.on('error', (error) => console.error(error));
    agenda.define<JobPayload>(job, async ({ attrs }) => post(attrs.data));
    await agenda.start();
  },
  async countLeft() {
    const { rows } = await pool.query('select count(*)::int as count from agenda_jobs where last_finished_at is null');
    return rows[0].count;
  },
  async stop() {
    await agenda?.stop();
  },
});
