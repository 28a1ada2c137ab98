import { setTimeout as sleep } from 'node:timers/promises';
import type { CoreContext } from '../../context.ts';
import { isDatabaseAway, isLostToAnother, isTooSlow } from '../../database/outage.ts';
import { inOwnStatement } from '../../database/statement.ts';
import { coalesce } from '../../kit/coalesce.ts';
import { type Result, record } from '../queue/record.ts';
import { countRecord } from './meter.ts';

export interface RecordQueue {
  /** Whether what is sent next may wait here: what a process knows and the database does not is sent again when it dies. */
  readonly hasRoom: boolean;
  add(result: Result): void;
  /** Resolves when everything added so far is written or given up. */
  drained(): Promise<void>;
  /** Gives up what is not written. The leases end by themselves. */
  abandon(): void;
}

/** How many times what may be in flight. It is also the largest batch. */
const unrecordedPerFlight = 4;
/** Costs the receiver nothing, as its slot is free already, and spares the database a transaction for every few results. */
const gatherMs = 10;
const outagePauseMs = 500;

interface Listeners {
  /** A retry that comes due so long from now is saved. */
  onRetry(delayMs: number): void;
  /** There is room again. */
  onRoom(): void;
}

/**
 * Writes results in batches: whatever comes in while one batch is being written, and a moment longer, is the next. While the
 * database is away the results are kept, because one that is lost means that the receiver is sent the same once more.
 */
export function createRecordQueue(context: CoreContext, { onRetry, onRoom }: Listeners): RecordQueue {
  const most = unrecordedPerFlight * context.config.delivery.concurrency;
  const waiting: Result[] = [];
  let unrecorded = 0;
  /** How many of the next are written one by one, because Postgres refused them together. */
  let apart = 0;
  /** How many are written together at most. */
  let together = most;
  const writer = coalesce(writeNext, (error) =>
    context.log.error({ err: error }, 'delivery results cannot be written'),
  );

  async function writeNext(): Promise<void> {
    const batch = waiting.splice(0, apart > 0 ? 1 : together);
    try {
      await write(batch);
      forget(batch);
      together = Math.min(most, 2 * together);
      if (apart === 0) await sleep(gatherMs);
    } catch (error) {
      await retryLater(batch, error);
    }
    if (waiting.length > 0) writer.ring();
  }

  async function write(batch: readonly Result[]): Promise<void> {
    const startedAtMs = performance.now();
    await inOwnStatement(context, (statement) => record(statement, batch));
    countRecord(context, batch, startedAtMs);
    for (const result of batch) announceRetry(result);
  }

  /** One bad result must not take the others with it. One that is bad by itself is claimed again when its lease ends. */
  async function retryLater(batch: readonly Result[], error: unknown): Promise<void> {
    const isPassing = isTooSlow(error) || isDatabaseAway(error) || isLostToAnother(error);
    const deliveryIds = batch.map(({ delivery }) => delivery.id);
    if (isPassing) context.log.error({ err: error, results: batch.length }, 'delivery results are not saved yet');
    else context.log.error({ err: error, deliveryIds }, 'delivery results were refused');
    if (!isPassing && batch.length === 1) return forget(batch);
    waiting.unshift(...batch);
    if (batch.length > 1 && !isPassing) apart = batch.length;
    // Half as many may be fast enough. One by one, a thousand results would outlast their leases and be sent again.
    if (isTooSlow(error)) together = Math.max(1, Math.floor(batch.length / 2));
    if (isPassing) await sleep(outagePauseMs, undefined, { ref: false });
  }

  function forget(batch: readonly Result[]): void {
    unrecorded -= batch.length;
    apart = Math.max(0, apart - batch.length);
    onRoom();
  }

  function announceRetry(result: Result): void {
    if ('next' in result && result.next.step === 'retry') onRetry(result.next.delayMs);
  }

  return {
    get hasRoom() {
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
