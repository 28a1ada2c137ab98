import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { watchedGauge } from './watched-gauge.ts';

export type Metrics = ReturnType<typeof createMetrics>;

/** Each service has its own metrics, because tests start several services in one process. */
export function createMetrics() {
  const registry = new Registry();
  const registers = [registry];
  processMetrics();
  return {
    contentType: registry.contentType,
    text: async () => `${await processMetrics().metrics()}\n${await registry.metrics()}`,
    ...httpMetrics(registers),
    ...deliveryMetrics(registers),
    ...jobMetrics(registers),
    ...dependencyMetrics(registers),
    ...mailMetrics(registers),
  };
}

/** Bucket bounds for response times, in seconds. */
const buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
/** Bucket bounds for runs of jobs, in seconds. */
const jobBuckets = [0.01, 0.1, 1, 10, 60, 600];

function httpMetrics(registers: Registry[]) {
  return {
    requests: new Histogram({
      name: 'tillhook_request_duration_seconds',
      help: 'Requests by operation and status; requests outside the API, such as pages, have the operation other',
      labelNames: ['operation', 'status'],
      buckets,
      registers,
    }),
    uncountedCalls: new Counter({
      name: 'tillhook_rate_limit_uncounted_calls_total',
      help: 'Calls that passed a rate limit without being counted, because Postgres did not answer',
      labelNames: ['limit'],
      registers,
    }),
  };
}

function deliveryMetrics(registers: Registry[]) {
  return {
    deliveries: new Counter({
      name: 'tillhook_deliveries_total',
      help: 'Deliveries that ended in this process, by outcome; deliveries that were skipped when they were published are not counted',
      labelNames: ['outcome'],
      registers,
    }),
    attempts: new Counter({
      name: 'tillhook_delivery_attempts_total',
      help: 'Recorded attempts, by class of the status code or by error',
      labelNames: ['result'],
      registers,
    }),
    oldestDue: watchedGauge({
      name: 'delivery_due_seconds',
      help: 'Age of the oldest delivery that is due and that no process has claimed; 0 when no delivery is due',
      registers,
    }),
    held: watchedGauge({
      name: 'tillhook_deliveries_held',
      help: 'Claimed deliveries of this process that wait for their turn, or are in flight',
      labelNames: ['state'],
      registers,
    }),
    places: watchedGauge({
      name: 'tillhook_delivery_places',
      help: 'Maximum number of deliveries that this process may have in flight',
      registers,
    }),
    unattempted: new Counter({
      name: 'tillhook_unattempted_deliveries_total',
      help: 'Deliveries that went back to the queue because no attempt was possible, for example because the master key of their secret is missing',
      registers,
    }),
    claims: new Histogram({
      name: 'tillhook_claim_duration_seconds',
      help: 'Claims of due deliveries that succeeded',
      buckets,
      registers,
    }),
    claimed: new Counter({
      name: 'tillhook_claimed_deliveries_total',
      help: 'Deliveries that were claimed',
      registers,
    }),
    sentDirectly: new Counter({
      name: 'tillhook_directly_sent_deliveries_total',
      help: 'Deliveries that were leased when they were published, and needed no claim',
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
      help: 'Delivery results that were saved',
      registers,
    }),
  };
}

// The label is `job_name`, because Prometheus uses `job` for a group of targets.
function jobMetrics(registers: Registry[]) {
  const labelled = { labelNames: ['job_name'], registers } as const;
  return {
    jobRuns: new Counter({
      name: 'tillhook_job_runs_total',
      help: 'Runs of a recurring job that were started',
      ...labelled,
    }),
    jobFailures: new Counter({
      name: 'tillhook_job_failures_total',
      help: 'Runs of a recurring job that failed',
      ...labelled,
    }),
    jobStart: new Gauge({
      name: 'tillhook_job_last_start_timestamp_seconds',
      help: 'Time when the last run of a recurring job began in this process',
      ...labelled,
    }),
    jobSuccess: new Gauge({
      name: 'tillhook_job_last_success_timestamp_seconds',
      help: 'Time when the last successful run of a recurring job in this process ended',
      ...labelled,
    }),
    jobTimes: new Histogram({
      name: 'tillhook_job_duration_seconds',
      help: 'Duration of the runs of a recurring job, including failed runs',
      buckets: jobBuckets,
      ...labelled,
    }),
  };
}

function dependencyMetrics(registers: Registry[]) {
  return {
    reachable: watchedGauge({
      name: 'tillhook_reachable',
      help: 'Whether the database and the store of the schedule answer: 1 or 0',
      labelNames: ['dependency'],
      registers,
    }),
    pool: watchedGauge({
      name: 'tillhook_database_connections',
      help: 'Connections of the pool that are in use or idle, and requests that wait for a connection',
      labelNames: ['state'],
      registers,
    }),
    disputes: startedAtZero(
      ['opened', 'won', 'lost', 'undecided'].map((status) => ({ status })),
      new Counter({
        name: 'tillhook_disputes_total',
        help: 'Disputes that the processor reported to this process, by status: opened, won or lost by the merchant, or closed undecided',
        labelNames: ['status'],
        registers,
      }),
    ),
    underReview: watchedGauge({
      name: 'tillhook_payments_under_review',
      help: 'Payments under review, which wait for the decision of an operator',
      registers,
    }),
    ledgerBreaches: watchedGauge({
      name: 'tillhook_ledger_breaches',
      help: 'Rows that break an invariant of money, found by the last check of the ledger in this process',
      registers,
    }),
    ledgerCounted: watchedGauge({
      name: 'tillhook_ledger_counted_timestamp_seconds',
      help: 'Time when tillhook_ledger_breaches was counted',
      registers,
    }),
  };
}

function mailMetrics(registers: Registry[]) {
  return {
    mails: startedAtZero(
      ['sent', 'refused', 'dropped', 'failed', 'retried', 'blocked', 'unrendered'].map((result) => ({ result })),
      new Counter({
        name: 'tillhook_mails_total',
        help: 'Mails that this process sent, that the receiving server refused, that were dropped because they were no longer needed, and that failed after two days of tries; and tries after which the mail is tried again, because the receiving server asked for it (retried), the mail came to no receiving server (blocked) or rendering failed (unrendered)',
        labelNames: ['result'],
        registers,
      }),
    ),
    oldestDueMail: watchedGauge({
      name: 'tillhook_mail_due_seconds',
      help: 'Age of the oldest mail that is due and that no process has claimed; 0 when no mail is due, or when no mails are written',
      registers,
    }),
  };
}

/** Prometheus sees no increase in a counter that first appears with the value 1. */
function startedAtZero<Label extends string>(
  values: readonly Record<Label, string>[],
  counter: Counter<Label>,
): Counter<Label> {
  for (const labels of values) counter.inc(labels, 0);
  return counter;
}

let processRegistry: Registry | undefined;

/** Measurements of the process cannot be stopped, so a process starts them only once. */
function processMetrics(): Registry {
  if (!processRegistry) {
    processRegistry = new Registry();
    collectDefaultMetrics({ register: processRegistry });
  }
  return processRegistry;
}
