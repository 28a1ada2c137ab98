import { setTimeout as sleep } from 'node:timers/promises';
import type { CoreContext } from '../../context.ts';
import { coalesce } from '../../kit/coalesce.ts';
import { isDatabaseAway, isTooSlow, isTransactionConflict } from '../../platform/database/connection/outage.ts';
import { inOwnStatement } from '../../platform/database/statement.ts';
import type { Outcome } from '../../wire/flight.ts';
import { type NextStep, type Result, record } from '../queue/record.ts';

export interface Results {
  /**
   * Whether more deliveries may be sent. The number of results that wait to be written is limited, because their
   * deliveries are sent again if this process dies.
   */
  readonly hasCapacity: boolean;
  add(result: Result): void;
  /** Resolves when every result added so far is written or dropped. */
  drained(): Promise<void>;
  /** Stops writing. The deliveries of unwritten results are sent again when their leases have ended. */
  abandon(): void;
}

/**
 * The maximum number of results that wait, as a multiple of the number of deliveries that may be in flight. It is also
 * the maximum size of a batch.
 */
const unrecordedPerFlight = 4;
/**
 * The time for which results are collected before they are written together. No other delivery waits for this time,
 * because the place in flight is already free. A statement with one result takes the database almost as long as a
 * statement with a hundred results.
 */
const gatherMs = 20;
const outagePauseMs = 500;

interface Listeners {
  /** Called after a retry was saved, with the time until it is due. */
  onRetry(delayMs: number): void;
  /** Called with results that were written or dropped. More deliveries may then be sent. */
  onEnd(results: readonly Result[]): void;
}

/**
 * Writes results in batches. Results that are added while a batch is written, or within 20 ms after that, are the next
 * batch. While the database is unreachable the results are kept, because a delivery whose result is lost is sent again.
 */
export function createResults(context: CoreContext, { onRetry, onEnd }: Listeners): Results {
  const maxUnrecorded = unrecordedPerFlight * context.config.delivery.concurrency;
  const waiting: Result[] = [];
  let unrecorded = 0;
  /** How many of the next results are written one at a time, because Postgres refused their batch. */
  let singly = 0;
  let maxBatch = maxUnrecorded;
  const writer = coalesce(writeNext, (error) => context.log.error({ err: error }, 'Failed to write delivery results'));

  async function writeNext(): Promise<void> {
    if (singly === 0 && waiting.length < maxBatch) await sleep(gatherMs);
    const batch = waiting.splice(0, singly > 0 ? 1 : maxBatch);
    try {
      const leases = batch.map(({ delivery }) => delivery.lease);
      await write(batch);
      // The statement skipped a result whose delivery was leased again meanwhile, because its lease was out of date.
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

  /**
   * One invalid result must not prevent other results from being saved. After Postgres has refused a batch, each of
   * its results is written alone. A result that is refused alone is dropped, and its delivery is claimed again when
   * the lease ends.
   */
  async function retryLater(batch: readonly Result[], error: unknown): Promise<void> {
    const isTemporary = isTooSlow(error) || isDatabaseAway(error) || isTransactionConflict(error);
    const deliveryIds = batch.map(({ delivery }) => delivery.id);
    if (isTemporary)
      context.log.error(
        { err: error, results: batch.length },
        'Failed to save delivery results, which will be saved later',
      );
    else context.log.error({ err: error, deliveryIds }, 'The database refused delivery results');
    if (!isTemporary && batch.length === 1) return forget(batch);
    waiting.unshift(...batch);
    if (batch.length > 1 && !isTemporary) singly = batch.length;
    // A batch of half the size may be fast enough. Writing a thousand results one at a time would take longer than
    // their leases last.
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

/**
 * Counts results after they were saved. If the lease of a delivery ended too early, its result is not saved, but is
 * counted. The delivery is then sent again, and the new result is counted as well.
 */
export function countResults({ metrics }: CoreContext, results: readonly Result[]): void {
  for (const result of results) {
    const ending = 'crashed' in result ? 'worker_crashed' : endings[result.next.step];
    if (ending) metrics.deliveries.inc({ outcome: ending });
    if ('outcome' in result) metrics.attempts.inc({ result: classOf(result.outcome) });
  }
}

/**
 * The value of the metric's label `outcome` when a delivery ends: `delivered`, or the `statusReason` of the contract.
 * Null for a retry.
 */
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
