/**
 * Every figure that we keep, by name; the rooms count and time through `context.metrics`, and `/metrics` shows it all. What the
 * process itself is doing is added under the names that Prometheus has for it, `process_…` and `nodejs_…`.
 */
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { watchedGauge } from './watched-gauge.ts';

export type Metrics = ReturnType<typeof createMetrics>;

/** The figures of one service: each that is started in a process has its own. */
export function createMetrics() {
  const registry = new Registry();
  const registers = [registry];
  ofThisProcess();
  return {
    contentType: registry.contentType,
    /** Everything, with what is known of the process itself. */
    text: async () => `${await ofThisProcess().metrics()}\n${await registry.metrics()}`,
    ...ofHttp(registers),
    ...ofDelivery(registers),
    ...ofJobs(registers),
    ...ofSurroundings(registers),
  };
}

/** In seconds, for answers of ours and of the database. */
const buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
/** For work that may take minutes. */
const bucketsOfJobs = [0.01, 0.1, 1, 10, 60, 600];

function ofHttp(registers: Registry[]) {
  return {
    requests: new Histogram({
      name: 'tillhook_request_duration_seconds',
      help: 'Requests by operation and status; what is no operation, such as a page, is other',
      labelNames: ['operation', 'status'],
      buckets,
      registers,
    }),
    uncountedCalls: new Counter({
      name: 'tillhook_rate_limit_uncounted_calls_total',
      help: 'Calls that passed a rate limit uncounted because Postgres could not be asked',
      labelNames: ['limit'],
      registers,
    }),
  };
}

function ofDelivery(registers: Registry[]) {
  return {
    deliveries: new Counter({
      name: 'tillhook_deliveries_total',
      help: 'Deliveries that ended here, by how; one skipped when it was published never waited, and is not counted',
      labelNames: ['outcome'],
      registers,
    }),
    attempts: new Counter({
      name: 'tillhook_delivery_attempts_total',
      help: 'Recorded attempts, by class of status or by what went wrong',
      labelNames: ['result'],
      registers,
    }),
    oldestDue: watchedGauge({
      name: 'delivery_due_seconds',
      help: 'Age of the oldest delivery that is due and that nobody has claimed; 0 when there is none',
      registers,
    }),
    held: watchedGauge({
      name: 'tillhook_deliveries_held',
      help: 'Claimed deliveries that wait here for their turn, or are in flight',
      labelNames: ['state'],
      registers,
    }),
    claims: new Histogram({
      name: 'tillhook_claim_duration_seconds',
      help: 'Claims of due deliveries that were answered',
      buckets,
      registers,
    }),
    claimed: new Counter({
      name: 'tillhook_claimed_deliveries_total',
      help: 'Deliveries that those claims brought',
      registers,
    }),
    records: new Histogram({
      name: 'tillhook_record_duration_seconds',
      help: 'Batches of delivery results that were saved',
      buckets,
      registers,
    }),
    recorded: new Counter({
      name: 'tillhook_recorded_results_total',
      help: 'Delivery results in those batches',
      registers,
    }),
  };
}

// `job` is what Prometheus itself calls a group of targets.
function ofJobs(registers: Registry[]) {
  const labelled = { labelNames: ['job_name'], registers } as const;
  return {
    jobRuns: new Counter({
      name: 'tillhook_job_runs_total',
      help: 'Runs of a recurring job that began',
      ...labelled,
    }),
    jobFailures: new Counter({ name: 'tillhook_job_failures_total', help: 'Runs that failed', ...labelled }),
    jobStart: new Gauge({
      name: 'tillhook_job_last_start_timestamp_seconds',
      help: 'When the last run began in this process',
      ...labelled,
    }),
    jobSuccess: new Gauge({
      name: 'tillhook_job_last_success_timestamp_seconds',
      help: 'When the last run in this process ended well',
      ...labelled,
    }),
    jobTimes: new Histogram({
      name: 'tillhook_job_duration_seconds',
      help: 'How long runs took, failed ones too',
      buckets: bucketsOfJobs,
      ...labelled,
    }),
  };
}

function ofSurroundings(registers: Registry[]) {
  return {
    reachable: watchedGauge({
      name: 'tillhook_reachable',
      help: 'Whether the database, and the store of the schedule, answer: 1 or 0',
      labelNames: ['dependency'],
      registers,
    }),
    pool: watchedGauge({
      name: 'tillhook_database_connections',
      help: 'Connections of the pool that are in use and idle, and how many more are wanted',
      labelNames: ['state'],
      registers,
    }),
    underReview: watchedGauge({
      name: 'tillhook_payments_under_review',
      help: 'Payments that wait for the decision of a person',
      registers,
    }),
  };
}

let processRegistry: Registry | undefined;

/** Memory, processor time and the lag of the event loop. What measures them cannot be ended, so a process has it once. */
function ofThisProcess(): Registry {
  if (!processRegistry) {
    processRegistry = new Registry();
    collectDefaultMetrics({ register: processRegistry });
  }
  return processRegistry;
}
