/**
 * `createSending` sends the deliveries that a process holds, and records the results. The dispatcher adds claimed
 * deliveries, and the direct lane adds deliveries that were leased when they were published.
 *
 * The direct lane sends a delivery right after the commit of the statement that published and leased it, without a
 * claim. It is used only when nothing waits, because only a claim knows the order and the shares. If the process dies
 * before the attempt, a worker claims the delivery after its lease has ended.
 * See docs/decisions/delivery.md, "A delivery that need not wait is leased when it is published".
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Claimed, CoreContext, DirectSending } from '../../context.ts';
import { createAlarm } from '../../kit/alarm.ts';
import { atMost } from '../../kit/time-limits.ts';
import { inOwnStatement } from '../../platform/database/statement.ts';
import type { Ringable } from '../queue/bell.ts';
import { handBack } from '../queue/claim.ts';
import type { Result } from '../queue/record.ts';
import { createPoisonDeliveries, isPoisonDelivery, makeAttempt, type PoisonDeliveries } from './attempt.ts';
import { createFairQueue, createLeasedDeliveries, type FairQueue, type LeaseTimes } from './fair-queue.ts';
import { type AttemptPace, paceOf } from './fair-shares.ts';
import { createResults } from './results.ts';

export interface Sending {
  readonly queue: FairQueue;
  /** After `hold`, the caller calls `sendNext`. */
  hold(deliveries: readonly Claimed[], lease: LeaseTimes): void;
  /** `hasCapacity` is false while too many results wait to be recorded. */
  readonly hasCapacity: boolean;
  sendNext(): void;
  handOver(deliveries: Claimed[]): Promise<void>;
  /** Waits up to `graceMs` for deliveries in flight and for `busy`. Hands waiting deliveries back at once. */
  stop(graceMs: number, busy?: () => Promise<unknown> | undefined): Promise<void>;
}

interface Listeners {
  /** Called once for all slots that became free in one turn of the event loop. */
  onFreeSlot(): void;
  onDue(delayMs: number): void;
  otherWorkers: Ringable;
}

/** Deliveries for a hanging endpoint get no turn, so only this regular check finds them before their leases end. */
const staleCheckMs = 1000;
/** After 410 Gone, waiting deliveries of the endpoint are not claimed for this time, until the endpoint is disabled. */
const gonePauseMs = 1000;
/** A stop waits at most this long for a database that does not answer. */
const handBackMs = 1000;

export function createSending(context: CoreContext, { onFreeSlot, onDue, otherWorkers }: Listeners): Sending {
  const queue = createFairQueue(context.config.delivery);
  measureSize(context, queue);
  const staleCheck = createAlarm(() => {
    queue.findStale(performance.now());
    onFreeSlot();
  });
  const poison = createPoisonDeliveries(context);
  const results = createResults(context, { onRetry: onDue, onEnd: endAttempts });
  /** A delivery whose attempt is not recorded yet must not be sent again when it is leased again. */
  const unrecorded = createLeasedDeliveries();
  let isAnnouncing = false;
  let isStopping = false;

  function hold(deliveries: readonly Claimed[], lease: LeaseTimes): void {
    queue.add(
      deliveries.filter((delivery) => !unrecorded.renew(delivery)),
      lease,
    );
  }

  function endAttempts(ended: readonly Result[]): void {
    for (const { delivery } of ended) unrecorded.remove(delivery);
    announceFreeSlot();
  }

  function sendNext(): void {
    if (isStopping) return;
    for (let next = takeNext(); next; next = takeNext()) void attempt(next);
    void requeue(queue.takeStale(), 0);
    if (queue.size > 0) staleCheck.within(staleCheckMs);
  }

  const takeNext = () => (results.hasCapacity ? queue.next(performance.now()) : undefined);

  /** Waits for the end of this turn of the event loop, so that the next deliveries are sent together. */
  function announceFreeSlot(): void {
    if (isAnnouncing) return;
    isAnnouncing = true;
    setImmediate(() => {
      isAnnouncing = false;
      onFreeSlot();
    });
  }

  async function attempt(delivery: Claimed): Promise<void> {
    const result = await resultOf(context, poison, delivery);
    if (result) {
      unrecorded.add(delivery);
      results.add(result);
    }
    // Without a result there was no attempt, so the delivery is handed back and no attempt is counted.
    else await tryHandBack(context, [delivery], context.config.delivery.leaseMs);
    queue.end(delivery, paceOfResult(result));
    if (result && isGone(result)) void requeue(queue.takeWaiting(delivery.endpointId), gonePauseMs);
    announceFreeSlot();
  }

  async function requeue(deliveries: Claimed[], delayMs: number): Promise<void> {
    if (deliveries.length === 0) return;
    await tryHandBack(context, deliveries, delayMs);
    onDue(delayMs);
  }

  async function handOver(deliveries: Claimed[]): Promise<void> {
    if (deliveries.length === 0) return;
    await atMost(handBackMs, tryHandBack(context, deliveries, 0));
    otherWorkers.ring();
  }

  async function stop(graceMs: number, busy: () => Promise<unknown> | undefined = () => undefined): Promise<void> {
    isStopping = true;
    staleCheck.cancel();
    const graceEnd = sleep(graceMs, undefined, { ref: false });
    await handOver(queue.takeWaiting());
    await Promise.race([graceEnd, Promise.all([busy(), queue.whenNoneInFlight()])]);
    const unfinished = queue.inFlight();
    await handOver(unfinished);
    await Promise.race([graceEnd.then(() => sleep(handBackMs, undefined, { ref: false })), results.drained()]);
    results.abandon();
    if (unfinished.length > 0) await context.sender.destroy();
  }

  return {
    queue,
    get hasCapacity() {
      return results.hasCapacity;
    },
    hold,
    sendNext,
    handOver,
    stop,
  };
}

async function resultOf(
  context: CoreContext,
  poison: PoisonDeliveries,
  delivery: Claimed,
): Promise<Result | undefined> {
  try {
    if (!isPoisonDelivery(delivery)) return await makeAttempt(context, delivery);
    const tried = await poison.runInTurn(delivery, () => makeAttempt(context, delivery));
    return tried === 'crashed' ? { delivery, crashed: true } : tried;
  } catch (error) {
    context.metrics.unattempted.inc();
    context.log.error({ err: error, deliveryId: delivery.id }, 'Failed to attempt a delivery');
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
    context.log.error(
      { err: error, deliveries: deliveries.length },
      'Failed to hand deliveries back; they stay claimed until their leases end',
    );
  }
}

function measureSize({ metrics, config }: CoreContext, queue: FairQueue): void {
  metrics.places.from(() => config.delivery.concurrency);
  metrics.held.from(() => {
    const inFlight = queue.inFlight().length;
    return { waiting: queue.size - inFlight, in_flight: inFlight };
  });
}

/** The direct lane is open while the process holds fewer deliveries than this fraction of `concurrency`. */
const directFraction = 1 / 4;

export function directInto(context: CoreContext, sending: Sending, isOpen: () => boolean): DirectSending {
  const { concurrency, timeoutMs } = context.config.delivery;
  // After a crash the delivery waits until its lease ends, so the lease is as short as an attempt allows.
  const leaseMs = 2 * timeoutMs;
  const maxHeld = Math.max(1, concurrency * directFraction);
  return {
    offer() {
      const { queue, hasCapacity } = sending;
      if (!isOpen() || !hasCapacity || queue.size >= maxHeld) return undefined;
      return { leaseMs, busyEndpoints: queue.busyEndpoints() };
    },
    send(deliveries, statementAtMs) {
      if (!isOpen()) return void sending.handOver([...deliveries]);
      context.metrics.sentDirectly.inc(deliveries.length);
      sending.hold(deliveries, { statementAtMs, nowMs: performance.now(), leaseMs });
      sending.sendNext();
    },
  };
}

export const noDirectSending: DirectSending = { offer: () => undefined, send() {} };

/** The direct lane of a process without a dispatcher. It leaves retries to workers. */
export interface DirectLane extends DirectSending {
  stop(graceMs: number): Promise<void>;
}

export function createDirectLane(context: CoreContext, workers: Ringable): DirectLane {
  let isStopping = false;
  const sending = createSending(context, {
    onFreeSlot: () => sending.sendNext(),
    onDue: (delayMs) => delayMs === 0 && workers.ring(),
    otherWorkers: workers,
  });
  return {
    ...directInto(context, sending, () => !isStopping),
    stop(graceMs) {
      isStopping = true;
      return sending.stop(graceMs);
    },
  };
}
