/**
 * Sends the deliveries that this process holds and records the results. The dispatcher fills it by claims, and both the
 * dispatcher and `direct-lane.ts` fill it with what a publishing statement leased. `dispatcher.ts` shows the states of a
 * delivery.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { CoreContext } from '../../context.ts';
import { atMost } from '../../kit/at-most.ts';
import { inOwnStatement } from '../../platform/database/statement.ts';
import type { Claimed } from '../../wire/claimed.ts';
import { createAlarm } from '../queue/alarm.ts';
import type { Ringable } from '../queue/bell.ts';
import { handBack } from '../queue/claim.ts';
import { type CrashSuspects, createCrashSuspects, isCrashSuspect } from '../queue/crash-suspects.ts';
import type { Result } from '../queue/record.ts';
import { type Backlog, createBacklog, type LeaseTimes } from './backlog.ts';
import { type AttemptPace, paceOf } from './caps.ts';
import { createLeasedDeliveries } from './leased-deliveries.ts';
import { makeAttempt } from './make-attempt.ts';
import { withSizeMetric } from './meter.ts';
import { createRecordQueue } from './record-queue.ts';

export interface Sending {
  /** What is held. Only `hold` adds to it. */
  readonly backlog: Backlog;
  /** Takes deliveries that were leased together. Call `sendNext` after it. */
  hold(deliveries: readonly Claimed[], lease: LeaseTimes): void;
  /** Whether more may be sent: false while too many results wait to be recorded. */
  readonly hasCapacity: boolean;
  /** Sends what may be sent now, and hands back what waited too long. */
  sendNext(): void;
  /** Hands deliveries back to the queue, for another process. */
  handOver(deliveries: Claimed[]): Promise<void>;
  /**
   * Hands back the deliveries that wait. Those in flight may end within the grace time. The rest is handed back too.
   * Resolves after `busy`, unless that takes longer than the grace time.
   */
  stop(graceMs: number, busy?: () => Promise<unknown> | undefined): Promise<void>;
}

interface Listeners {
  /** Called once for all places that became free in one turn of the event loop. */
  onFreePlace(): void;
  /** Called when a delivery was put back into the queue, with the time until it is due. */
  onDue(delayMs: number): void;
  /** The processes that may claim what this one gives back when it stops. */
  otherWorkers: Ringable;
}

/** A delivery that waits for an endpoint that hangs gets no turn here. This check finds it before its lease ends. */
const staleCheckMs = 1000;
/** The time for which deliveries of a gone endpoint are not claimed, so that its removal is recorded first. */
const gonePauseMs = 1000;
/** How long a database that does not answer may delay the stop. */
const handBackMs = 1000;

export function createSending(context: CoreContext, { onFreePlace, onDue, otherWorkers }: Listeners): Sending {
  const backlog = withSizeMetric(context, createBacklog(context.config.delivery));
  const staleCheck = createAlarm(() => {
    backlog.findStale(performance.now());
    onFreePlace();
  });
  const suspects = createCrashSuspects(context);
  const results = createRecordQueue(context, { onRetry: onDue, onEnd: endAttempts });
  /** The deliveries whose attempt has ended and is not recorded yet. Leased again, they must not be sent again. */
  const unrecorded = createLeasedDeliveries();
  let isAnnouncing = false;
  let isStopping = false;

  function hold(deliveries: readonly Claimed[], lease: LeaseTimes): void {
    backlog.add(
      deliveries.filter((delivery) => !unrecorded.renew(delivery)),
      lease,
    );
  }

  function endAttempts(ended: readonly Result[]): void {
    for (const { delivery } of ended) unrecorded.remove(delivery);
    announceFreePlace();
  }

  function sendNext(): void {
    if (isStopping) return;
    for (let next = takeNext(); next; next = takeNext()) void attempt(next);
    void requeue(backlog.takeStale(), 0);
    if (backlog.size > 0) staleCheck.within(staleCheckMs);
  }

  const takeNext = () => (results.hasCapacity ? backlog.next(performance.now()) : undefined);

  /** Later, so that the next deliveries are sent at the same time. */
  function announceFreePlace(): void {
    if (isAnnouncing) return;
    isAnnouncing = true;
    setImmediate(() => {
      isAnnouncing = false;
      onFreePlace();
    });
  }

  async function attempt(delivery: Claimed): Promise<void> {
    const result = await resultOf(context, suspects, delivery);
    if (result) {
      unrecorded.add(delivery);
      results.add(result);
    }
    // Without a result no attempt was made: the delivery is handed back and does not lose one.
    else await tryHandBack(context, [delivery], context.config.delivery.leaseMs);
    backlog.end(delivery, paceOfResult(result));
    if (result && isGone(result)) void requeue(backlog.takeWaiting(delivery.endpointId), gonePauseMs);
    announceFreePlace();
  }

  /** Hands deliveries back while this process goes on. */
  async function requeue(deliveries: Claimed[], delayMs: number): Promise<void> {
    if (deliveries.length === 0) return;
    await tryHandBack(context, deliveries, delayMs);
    onDue(delayMs);
  }

  /** A worker that is woken may claim them at once. */
  async function handOver(deliveries: Claimed[]): Promise<void> {
    if (deliveries.length === 0) return;
    await atMost(handBackMs, tryHandBack(context, deliveries, 0));
    otherWorkers.ring();
  }

  async function stop(graceMs: number, busy: () => Promise<unknown> | undefined = () => undefined): Promise<void> {
    isStopping = true;
    staleCheck.cancel();
    const graceEnd = sleep(graceMs, undefined, { ref: false });
    await handOver(backlog.takeWaiting());
    await Promise.race([graceEnd, Promise.all([busy(), backlog.whenNoneInFlight()])]);
    const cutOff = backlog.inFlight();
    await handOver(cutOff);
    await Promise.race([graceEnd.then(() => sleep(handBackMs, undefined, { ref: false })), results.drained()]);
    results.abandon();
    if (cutOff.length > 0) await context.sender.destroy();
  }

  return {
    backlog,
    get hasCapacity() {
      return results.hasCapacity;
    },
    hold,
    sendNext,
    handOver,
    stop,
  };
}

/** Undefined when no attempt could be made. */
async function resultOf(context: CoreContext, suspects: CrashSuspects, delivery: Claimed): Promise<Result | undefined> {
  try {
    if (!isCrashSuspect(delivery)) return await makeAttempt(context, delivery);
    const tried = await suspects.runInTurn(delivery, () => makeAttempt(context, delivery));
    return tried === 'crashed' ? { delivery, crashed: true } : tried;
  } catch (error) {
    context.metrics.unattempted.inc();
    context.log.error({ err: error, deliveryId: delivery.id }, 'A delivery cannot be attempted');
    return undefined;
  }
}

const paceOfResult = (result: Result | undefined): AttemptPace =>
  result && 'outcome' in result ? paceOf(result.outcome) : 'other';

const isGone = (result: Result) => 'next' in result && result.next.step === 'disable';

async function tryHandBack(context: CoreContext, deliveries: Claimed[], delayMs: number): Promise<void> {
  try {
    await inOwnStatement(context, (statement) => handBack(statement, deliveries, delayMs));
  } catch (error) {
    context.log.error({ err: error, deliveries: deliveries.length }, 'Deliveries stay claimed until their leases end');
  }
}
