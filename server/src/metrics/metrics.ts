/**
 * Every figure that we keep, by name; the rooms count and time through `context.metrics`, and `/metrics` shows it all. What the
 * process itself is doing is added under the names that Prometheus has for it, `process_…` and `nodejs_…`.
 */
import { createInstruments, type Instruments } from './instruments.ts';

export type Metrics = ReturnType<typeof createMetrics>;

export function createMetrics() {
  const instruments = createInstruments();
  return {
    text: instruments.text,
    contentType: instruments.contentType,
    ...ofHttp(instruments),
    ...ofDelivery(instruments),
    ...ofJobs(instruments),
    ...ofSurroundings(instruments),
  };
}

function ofHttp({ times, countBy }: Instruments) {
  return {
    requests: times({
      name: 'tillhook_request_duration_seconds',
      help: 'Requests by operation and status; what is no operation, such as a page, is other',
      labels: ['operation', 'status'],
    }),
    uncountedCalls: countBy({
      name: 'tillhook_rate_limit_uncounted_calls_total',
      help: 'Calls that passed a rate limit uncounted because Postgres could not be asked',
      label: 'limit',
    }),
  };
}

function ofDelivery({ count, countBy, times, watch }: Instruments) {
  return {
    deliveries: countBy({
      name: 'tillhook_deliveries_total',
      help: 'Deliveries that ended here, by how; one skipped when it was published never waited, and is not counted',
      label: 'outcome',
    }),
    attempts: countBy({
      name: 'tillhook_delivery_attempts_total',
      help: 'Recorded attempts, by class of status or by what went wrong',
      label: 'result',
    }),
    oldestDue: watch({
      name: 'delivery_due_seconds',
      help: 'Age of the oldest delivery that is due and that nobody has claimed; 0 when there is none',
    }),
    held: watch({
      name: 'tillhook_deliveries_held',
      help: 'Claimed deliveries that wait here for their turn, or are in flight',
      label: 'state',
    }),
    claims: times({ name: 'tillhook_claim_duration_seconds', help: 'Claims of due deliveries that were answered' }),
    claimed: count({ name: 'tillhook_claimed_deliveries_total', help: 'Deliveries that those claims brought' }),
    records: times({ name: 'tillhook_record_duration_seconds', help: 'Batches of delivery results that were saved' }),
    recorded: count({ name: 'tillhook_recorded_results_total', help: 'Delivery results in those batches' }),
  };
}

// `job` is what Prometheus itself calls a group of targets.
function ofJobs({ countBy, latestBy, times }: Instruments) {
  return {
    jobRuns: countBy({
      name: 'tillhook_job_runs_total',
      help: 'Runs of a recurring job that began',
      label: 'job_name',
    }),
    jobFailures: countBy({ name: 'tillhook_job_failures_total', help: 'Runs that failed', label: 'job_name' }),
    jobStart: latestBy({
      name: 'tillhook_job_last_start_timestamp_seconds',
      help: 'When the last run began in this process',
      label: 'job_name',
    }),
    jobSuccess: latestBy({
      name: 'tillhook_job_last_success_timestamp_seconds',
      help: 'When the last run in this process ended well',
      label: 'job_name',
    }),
    jobTimes: times(
      { name: 'tillhook_job_duration_seconds', help: 'How long runs took, failed ones too', labels: ['job_name'] },
      { isLong: true },
    ),
  };
}

function ofSurroundings({ watch }: Instruments) {
  return {
    reachable: watch({
      name: 'tillhook_reachable',
      help: 'Whether the database, and the store of the schedule, answer: 1 or 0',
      label: 'dependency',
    }),
    pool: watch({
      name: 'tillhook_database_connections',
      help: 'Connections of the pool that are in use and idle, and how many more are wanted',
      label: 'state',
    }),
    underReview: watch({
      name: 'tillhook_payments_under_review',
      help: 'Payments that wait for the decision of a person',
    }),
  };
}
