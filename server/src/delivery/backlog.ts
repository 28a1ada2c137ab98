/**
 * What this process has claimed and not yet recorded: what waits here, and what is in flight. More is claimed than may be in
 * flight, so that one claim serves many; endpoints that have something waiting take turns, and none has more in flight than
 * its cap. What has waited too long is never sent, because its lease could end before its attempt does, and another process
 * would send the same. Pure: the caller hands in the time.
 */
import type { Claimed } from './claim.ts';

export interface Backlog {
  /** How many are held, waiting or in flight. */
  readonly size: number;
  readonly isFullyInFlight: boolean;
  perEndpoint(): Map<string, number>;
  heldOf(endpointId: string): number;
  /** Takes in what a claim brought, with the times when it was asked for and when it came. */
  add(deliveries: readonly Claimed[], times: { askedAtMs: number; nowMs: number }): void;
  /** The next one to send, which is in flight from now on. */
  next(nowMs: number): Claimed | undefined;
  end(delivery: Claimed): void;
  /** Those that waited too long and were passed over. They are no longer held. */
  takeStale(): Claimed[];
  /** Those that wait, for one endpoint or for all. They are no longer held. */
  takeWaiting(endpointId?: string): Claimed[];
  inFlight(): Claimed[];
  /** Resolves when nothing is in flight. */
  landed(): Promise<void>;
}

interface BacklogLimits {
  concurrency: number;
  endpointConcurrency: number;
  leaseMs: number;
  timeoutMs: number;
}

/** One endpoint's share. */
interface Lane {
  endpointId: string;
  waiting: { delivery: Claimed; sendByMs: number }[];
  inFlight: number;
}

/** What waits here does not hear that its endpoint was removed. */
const longestWaitMs = 5000;

export function createBacklog({ concurrency, endpointConcurrency, ...times }: BacklogLimits): Backlog {
  const lanes = new Map<string, Lane>();
  /** Those that have one waiting and may send it, in the order of their turns. */
  const ready = new Set<Lane>();
  const inFlight = new Set<Claimed>();
  let stale: Claimed[] = [];
  let waitingCount = 0;
  let tellLanded = () => {};

  function laneOf(endpointId: string): Lane {
    const lane = lanes.get(endpointId) ?? { endpointId, waiting: [], inFlight: 0 };
    lanes.set(endpointId, lane);
    return lane;
  }

  /** Called after each change of a lane. */
  function line(lane: Lane): void {
    if (lane.waiting.length > 0 && lane.inFlight < endpointConcurrency) ready.add(lane);
    else ready.delete(lane);
    if (lane.waiting.length + lane.inFlight === 0) lanes.delete(lane.endpointId);
  }

  function takeFirst(lane: Lane, nowMs: number): Claimed | undefined {
    for (let first = lane.waiting.shift(); first; first = lane.waiting.shift()) {
      waitingCount -= 1;
      if (first.sendByMs >= nowMs) return first.delivery;
      stale.push(first.delivery);
    }
    return undefined;
  }

  function empty(lane: Lane): Claimed[] {
    const taken = lane.waiting.splice(0).map(({ delivery }) => delivery);
    waitingCount -= taken.length;
    line(lane);
    return taken;
  }

  return {
    get size() {
      return waitingCount + inFlight.size;
    },
    get isFullyInFlight() {
      return inFlight.size >= concurrency;
    },
    perEndpoint: () => new Map(Array.from(lanes, ([id, lane]) => [id, heldIn(lane)])),
    heldOf: (endpointId) => heldIn(lanes.get(endpointId)),
    add(deliveries, asked) {
      const sendByMs = latestSend(times, asked);
      for (const delivery of deliveries) {
        const lane = laneOf(delivery.endpointId);
        lane.waiting.push({ delivery, sendByMs });
        waitingCount += 1;
        line(lane);
      }
    },
    next(nowMs) {
      if (inFlight.size >= concurrency) return undefined;
      for (const lane of ready) {
        const delivery = takeFirst(lane, nowMs);
        if (delivery) {
          inFlight.add(delivery);
          lane.inFlight += 1;
        }
        // To the end of the queue, if it has more.
        ready.delete(lane);
        line(lane);
        if (delivery) return delivery;
      }
      return undefined;
    },
    end(delivery) {
      const lane = laneOf(delivery.endpointId);
      if (inFlight.delete(delivery)) lane.inFlight -= 1;
      line(lane);
      if (inFlight.size === 0) tellLanded();
    },
    takeStale() {
      const taken = stale;
      stale = [];
      return taken;
    },
    takeWaiting(endpointId) {
      const all = endpointId === undefined ? [...lanes.values()] : [laneOf(endpointId)];
      return all.flatMap(empty);
    },
    inFlight: () => [...inFlight],
    landed: () =>
      new Promise((resolve) => {
        tellLanded = resolve;
        if (inFlight.size === 0) resolve();
      }),
  };
}

type Times = Pick<BacklogLimits, 'leaseMs' | 'timeoutMs'>;

/** Half of what the lease leaves beside an attempt is for waiting. The other half is for recording it. */
function latestSend({ leaseMs, timeoutMs }: Times, { askedAtMs, nowMs }: { askedAtMs: number; nowMs: number }): number {
  return Math.min(askedAtMs + (leaseMs - timeoutMs) / 2, nowMs + longestWaitMs);
}

const heldIn = (lane: Lane | undefined) => (lane ? lane.waiting.length + lane.inFlight : 0);
