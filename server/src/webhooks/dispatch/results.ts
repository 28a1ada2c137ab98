import { setTimeout as sleep } from 'node:timers/promises';
import type { CoreContext } from '../../context.ts';
import { coalesce } from '../../kit/coalesce.ts';
import { isDatabaseAway, isTooSlow, isTransactionConflict } from '../../platform/database/connection/outage.ts';
import { inOwnStatement } from '../../platform/database/statement.ts';
import type { Outcome } from '../../wire/flight.ts';
import { type NextStep, type Result, record } from '../queue/record.ts';

export interface Results {
  /** The number of unwritten results is limited, because their deliveries are sent again if this process dies. */
  readonly hasCapacity: boolean;
  add(result: Result): void;
  drained(): Promise<void>;
  /** The deliveries of unwritten results are sent again when their leases have ended. */
  abandon(): void;
}

/** The maximum number of waiting results, as a multiple of the deliveries that may be in flight. */
const unrecordedPerFlight = 4;
/** Results are collected, because a statement with one result takes almost as long as one with a hundred results. */
const gatherMs = 20;
const outagePauseMs = 500;

interface Listeners {
  onRetry(delayMs: number): void;
  onEnd(results: readonly Result[]): void;
}

/** While the database is unreachable results are kept, because a delivery whose result is lost is sent again. */
export function createResults(context: CoreContext, { onRetry, onEnd }: Listeners): Results {
  const maxUnrecorded = unrecordedPerFlight * context.config.delivery.concurrency;
  const waiting: Result[] = [];
  let unrecorded = 0;
  /** How many of the next results are written alone, because Postgres refused their batch. */
  let singly = 0;
  let maxBatch = maxUnrecorded;
  const writer = coalesce(writeNext, (error) => context.log.error({ err: error }, 'Failed to write delivery results'));

  async function writeNext(): Promise<void> {
    if (singly === 0 && waiting.length < maxBatch) await sleep(gatherMs);
    const batch = waiting.splice(0, singly > 0 ? 1 : maxBatch);
    try {
      const leases = batch.map(({ delivery }) => delivery.lease);
      await write(batch);
      // If a delivery was leased again meanwhile, the statement skipped its result, because the old lease had ended.
      const unwritten = batch.filter(({ delivery }, index) => delivery.lease !== leases[index]);
      waiting.unshift(...unwritten);
      forget(unwritten.length === 0 ? batch : batch.filter((result) => !unwritten.includes(result)));
      maxBatch = Math.min(maxUnrecorded, 2 * maxBatch);
    } catch (error) {
      await retryLater(batch, error);
    }
    if (waiting.length > 0) writer.ring();
  }

  async function write(batch: readonly Result[]): Promise<void> {
    const startedAtMs = performance.now();
    await inOwnStatement(context, (statement) => record(statement, batch));
    context.metrics.records.observe((performance.now() - startedAtMs) / 1000);
    context.metrics.recorded.inc(batch.length);
    countResults(context, batch);
    for (const result of batch) announceRetry(result);
  }

  /** After Postgres refuses a batch, each result is written alone: one invalid result must not block other results. */
  async function retryLater(batch: readonly Result[], error: unknown): Promise<void> {
    const isTemporary = isTooSlow(error) || isDatabaseAway(error) || isTransactionConflict(error);
    const deliveryIds = batch.map(({ delivery }) => delivery.id);
    if (isTemporary)
      context.log.error(
        { err: error, results: batch.length },
        'Failed to save delivery results, which will be saved later',
      );
    else context.log.error({ err: error, deliveryIds }, 'The database refused delivery results');
    // A result that Postgres refuses alone is dropped: its delivery is claimed and sent again when its lease ends.
    if (!isTemporary && batch.length === 1) return forget(batch);
    waiting.unshift(...batch);
    if (batch.length > 1 && !isTemporary) singly = batch.length;
    // The next batch is half as large. Writing the results one by one would take longer than their leases last.
    if (isTooSlow(error)) maxBatch = Math.max(1, Math.floor(batch.length / 2));
    if (isTemporary) await sleep(outagePauseMs, undefined, { ref: false });
  }

  function forget(batch: readonly Result[]): void {
    unrecorded -= batch.length;
    singly = Math.max(0, singly - batch.length);
    onEnd(batch);
  }

  function announceRetry(result: Result): void {
    if ('next' in result && result.next.step === 'retry') onRetry(result.next.delayMs);
  }

  return {
    get hasCapacity() {
      return unrecorded < maxUnrecorded;
    },
    add(result) {
      unrecorded += 1;
      waiting.push(result);
      writer.ring();
    },
    drained: writer.idle,
    abandon: () => void writer.stop(),
  };
}

/** A delivery whose lease ended too early is counted twice: with its unsaved result and with its next result. */
export function countResults({ metrics }: CoreContext, results: readonly Result[]): void {
  for (const result of results) {
    const ending = 'crashed' in result ? 'worker_crashed' : endings[result.next.step];
    if (ending) metrics.deliveries.inc({ outcome: ending });
    if ('outcome' in result) metrics.attempts.inc({ result: classOf(result.outcome) });
  }
}

/** Values of the metric's label `outcome`; null for a retry, which does not end the delivery. */
const endings: Record<NextStep['step'], string | null> = {
  delivered: 'delivered',
  retry: null,
  'give-up': 'attempts_exhausted',
  disable: 'endpoint_gone',
};

const classes = ['none', '1xx', '2xx', '3xx', '4xx', '5xx'];

function classOf({ error, statusCode }: Outcome): string {
  return error ?? classes[Math.floor((statusCode ?? 0) / 100)] ?? 'other';
}
