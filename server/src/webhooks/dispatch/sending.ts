/**
 * Sends the deliveries that this process holds and records the results. The dispatcher fills it by claims, and the direct
 * lane fills it with what a publishing statement leased. `dispatcher.ts` shows the states of a delivery.
 *
 * The direct lane sends what was leased by a publishing statement right after its commit. A delivery that comes alone
 * needs neither a wake-up nor a claim then. It is for the time in which nothing waits: a process that holds many
 * deliveries, or an endpoint that has some waiting, leaves new ones to a claim, which knows the order and the shares. A
 * process that dies between the commit and the attempt leaves a lease, and a worker claims the delivery when it has
 * ended.
 * See docs/decisions/delivery.md, "A delivery that comes alone is leased when it is published".
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
  /** What is held. Only `hold` adds to it. */
  readonly queue: FairQueue;
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
  const queue = createFairQueue(context.config.delivery);
  measureSize(context, queue);
  const staleCheck = createAlarm(() => {
    queue.findStale(performance.now());
    onFreePlace();
  });
  const poison = createPoisonDeliveries(context);
  const results = createResults(context, { onRetry: onDue, onEnd: endAttempts });
  /** The deliveries whose attempt has ended and is not recorded yet. Leased again, they must not be sent again. */
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
    announceFreePlace();
  }

  function sendNext(): void {
    if (isStopping) return;
    for (let next = takeNext(); next; next = takeNext()) void attempt(next);
    void requeue(queue.takeStale(), 0);
    if (queue.size > 0) staleCheck.within(staleCheckMs);
  }

  const takeNext = () => (results.hasCapacity ? queue.next(performance.now()) : undefined);

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
    const result = await resultOf(context, poison, delivery);
    if (result) {
      unrecorded.add(delivery);
      results.add(result);
    }
    // Without a result no attempt was made: the delivery is handed back and does not lose one.
    else await tryHandBack(context, [delivery], context.config.delivery.leaseMs);
    queue.end(delivery, paceOfResult(result));
    if (result && isGone(result)) void requeue(queue.takeWaiting(delivery.endpointId), gonePauseMs);
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
    await handOver(queue.takeWaiting());
    await Promise.race([graceEnd, Promise.all([busy(), queue.whenNoneInFlight()])]);
    const cutOff = queue.inFlight();
    await handOver(cutOff);
    await Promise.race([graceEnd.then(() => sleep(handBackMs, undefined, { ref: false })), results.drained()]);
    results.abandon();
    if (cutOff.length > 0) await context.sender.destroy();
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

/** Undefined when no attempt could be made. */
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

/** Shows the size of the queue, and the places in flight, in `/metrics` from now on. */
function measureSize({ metrics, config }: CoreContext, queue: FairQueue): void {
  metrics.places.from(() => config.delivery.concurrency);
  metrics.held.from(() => {
    const inFlight = queue.inFlight().length;
    return { waiting: queue.size - inFlight, in_flight: inFlight };
  });
}

/** Of the deliveries that may be in flight, the fraction from which on a process takes no more this way. */
const busyFraction = 1 / 4;

/** Gives leases from a sending that others fill too. `isOpen` says whether they leave room now. */
export function directInto(context: CoreContext, sending: Sending, isOpen: () => boolean): DirectSending {
  const { concurrency, timeoutMs } = context.config.delivery;
  // A crash delays the delivery by the lease, so it is as short as the time-out of an attempt allows.
  const leaseMs = 2 * timeoutMs;
  const most = Math.max(1, concurrency * busyFraction);
  return {
    offer() {
      const { queue, hasCapacity } = sending;
      if (!isOpen() || !hasCapacity || queue.size >= most) return undefined;
      return { leaseMs, busyEndpoints: queue.busyEndpoints() };
    },
    send(deliveries, askedAtMs) {
      if (!isOpen()) return void sending.handOver([...deliveries]);
      context.metrics.sentDirectly.inc(deliveries.length);
      sending.hold(deliveries, { askedAtMs, nowMs: performance.now(), leaseMs });
      sending.sendNext();
    },
  };
}

/** Leaves all deliveries to a claim. */
export const noDirectSending: DirectSending = { offer: () => undefined, send() {} };

/** The lane of a process without a dispatcher. It leaves retries, and all that it cannot send, to the workers. */
export interface DirectLane extends DirectSending {
  /** Takes no more, and lets the attempts in flight end within the grace time. */
  stop(graceMs: number): Promise<void>;
}

export function createDirectLane(context: CoreContext, workers: Ringable): DirectLane {
  let isStopping = false;
  const sending = createSending(context, {
    onFreePlace: () => sending.sendNext(),
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
