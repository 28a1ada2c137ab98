import { setTimeout as sleep } from 'node:timers/promises';
import type { CoreContext } from '../../context.ts';
import { coalesce } from '../../kit/coalesce.ts';
import { isDatabaseAway, isTooSlow, isTransactionConflict } from '../../platform/database/connection/outage.ts';
import { inOwnStatement } from '../../platform/database/statement.ts';
import type { Outcome } from '../../wire/flight.ts';
import { type NextStep, type Result, record } from '../queue/record.ts';

export interface Results {
  /**
   * Whether more may be sent. The results that wait here are bounded: their deliveries are sent again if this process
   * dies.
   */
  readonly hasCapacity: boolean;
  add(result: Result): void;
  /** Resolves when every result added so far is written or given up. */
  drained(): Promise<void>;
  /** Gives up the results that are not written. The leases of their deliveries end by themselves. */
  abandon(): void;
}

/**
 * The most results that may wait, as a multiple of the deliveries that may be in flight. It is also the largest batch.
 */
const unrecordedPerFlight = 4;
/**
 * The time in which results gather before they are written. It delays no receiver, whose place is free already, and saves
 * the database transactions: a statement for one result takes almost as long as for a hundred.
 */
const gatherMs = 20;
const outagePauseMs = 500;

interface Listeners {
  /** Called after a retry was saved, with the time until it is due. */
  onRetry(delayMs: number): void;
  /** Called with results that were written or given up. More deliveries may then be sent. */
  onEnd(results: readonly Result[]): void;
}

/**
 * Writes results in batches. The results that are added while one batch is being written, and for a moment after that,
 * are the next batch. While the database is away the results are kept, because a lost result means that its delivery is
 * sent once more.
 */
export function createResults(context: CoreContext, { onRetry, onEnd }: Listeners): Results {
  const most = unrecordedPerFlight * context.config.delivery.concurrency;
  const waiting: Result[] = [];
  let unrecorded = 0;
  /** How many of the next results are written one by one, because Postgres refused their batch. */
  let singly = 0;
  let largestBatch = most;
  const writer = coalesce(writeNext, (error) =>
    context.log.error({ err: error }, 'Delivery results cannot be written'),
  );

  async function writeNext(): Promise<void> {
    if (singly === 0 && waiting.length < largestBatch) await sleep(gatherMs);
    const batch = waiting.splice(0, singly > 0 ? 1 : largestBatch);
    try {
      const leases = batch.map(({ delivery }) => delivery.lease);
      await write(batch);
      // A result whose delivery was leased again meanwhile was not written: its lease was no longer the right one.
      const unwritten = batch.filter(({ delivery }, index) => delivery.lease !== leases[index]);
      waiting.unshift(...unwritten);
      forget(unwritten.length === 0 ? batch : batch.filter((result) => !unwritten.includes(result)));
      largestBatch = Math.min(most, 2 * largestBatch);
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
   * One bad result must not prevent the others from being saved: after a refused batch each result is written by
   * itself. A result that is refused by itself is dropped, and its delivery is claimed again when the lease ends.
   */
  async function retryLater(batch: readonly Result[], error: unknown): Promise<void> {
    const isPassing = isTooSlow(error) || isDatabaseAway(error) || isTransactionConflict(error);
    const deliveryIds = batch.map(({ delivery }) => delivery.id);
    if (isPassing) context.log.error({ err: error, results: batch.length }, 'Delivery results are not saved yet');
    else context.log.error({ err: error, deliveryIds }, 'The database refused delivery results');
    if (!isPassing && batch.length === 1) return forget(batch);
    waiting.unshift(...batch);
    if (batch.length > 1 && !isPassing) singly = batch.length;
    // A batch of half the size may be fast enough. One by one, a thousand results would take longer than their leases
    // last.
    if (isTooSlow(error)) largestBatch = Math.max(1, Math.floor(batch.length / 2));
    if (isPassing) await sleep(outagePauseMs, undefined, { ref: false });
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
      return unrecorded < most;
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
 * Counts results after they were saved. A result that came after its lease had ended is counted here, and the result of
 * the next claim of the same delivery is counted again.
 */
export function countResults({ metrics }: CoreContext, results: readonly Result[]): void {
  for (const result of results) {
    const ending = 'crashed' in result ? 'worker_crashed' : endings[result.next.step];
    if (ending) metrics.deliveries.inc({ outcome: ending });
    if ('outcome' in result) metrics.attempts.inc({ result: classOf(result.outcome) });
  }
}

/** The outcomes of deliveries, in the words of `statusReason` in the contract. */
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
