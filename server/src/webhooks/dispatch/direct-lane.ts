/**
 * Sends what a publishing statement leased to this process, right after its commit. A delivery that comes alone needs
 * neither a wake-up nor a claim then. It is for the time in which nothing waits: a process that holds many deliveries,
 * or an endpoint that has some waiting, leaves new ones to a claim, which knows the order and the shares. A process that
 * dies between the commit and the attempt leaves a lease, and a worker claims the delivery when it has ended.
 * See docs/decisions/delivery.md, "A delivery that comes alone is leased when it is published".
 */
import type { CoreContext, DirectSending } from '../../context.ts';
import type { Ringable } from '../queue/bell.ts';
import { createSending, type Sending } from './sending.ts';

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
      const { backlog, hasCapacity } = sending;
      if (!isOpen() || !hasCapacity || backlog.size >= most) return undefined;
      return { leaseMs, busyEndpoints: backlog.busyEndpoints() };
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
