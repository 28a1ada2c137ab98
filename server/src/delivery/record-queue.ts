import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '../context.ts';
import { isDatabaseAway } from '../database/outage.ts';
import { inOwnStatement } from '../database/own-statement.ts';
import { countRecord } from './meter.ts';
import { type Result, record } from './record.ts';

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
export function createRecordQueue(context: Context, { onRetry, onRoom }: Listeners): RecordQueue {
  const most = unrecordedPerFlight * context.config.delivery.concurrency;
  const waiting: Result[] = [];
  let unrecorded = 0;
  let writing: Promise<void> | undefined;
  let isAbandoned = false;

  async function writeAll(): Promise<void> {
    while (waiting.length > 0 && !isAbandoned) {
      const batch = waiting.splice(0, most);
      try {
        await write(batch);
        unrecorded -= batch.length;
        onRoom();
        await sleep(gatherMs);
      } catch (error) {
        context.log.error({ err: error, results: batch.length }, 'delivery results are not saved yet');
        waiting.unshift(...batch);
        await sleep(outagePauseMs, undefined, { ref: false });
      }
    }
    writing = undefined;
  }

  /** Throws only while the database is away. */
  async function write(batch: readonly Result[]): Promise<void> {
    const startedAtMs = performance.now();
    try {
      await inOwnStatement(context, (statement) => record(statement, batch));
      countRecord(context, batch, startedAtMs);
      for (const result of batch) announceRetry(result);
    } catch (error) {
      if (isDatabaseAway(error)) throw error;
      const deliveryIds = batch.map(({ delivery }) => delivery.id);
      context.log.error({ err: error, deliveryIds }, 'delivery results were refused');
      // One bad row must not take the others with it. One that is bad by itself is claimed again when its lease ends.
      if (batch.length > 1) for (const result of batch) await write([result]);
    }
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
      writing ??= writeAll();
    },
    drained: async () => writing,
    abandon() {
      isAbandoned = true;
    },
  };
}
