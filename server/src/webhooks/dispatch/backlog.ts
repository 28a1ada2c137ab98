/**
 * The deliveries that this process has claimed: those that wait for a place and those in flight. A process claims
 * more than it may have in flight, so that one claim brings many deliveries. `lanes.ts` puts together `caps.ts`,
 * `shares.ts` and `turns.ts`, which decide how many an endpoint and a merchant may have, and whose turn it is. A
 * delivery that waited too long is never sent from here: its lease could end before its attempt does, and another
 * process would send it too. Pure: the caller passes the time.
 * See docs/decisions/delivery.md, "A process claims more than it sends at once".
 */

import type { Claimed } from '../../wire/claimed.ts';
import type { AttemptPace } from './caps.ts';
import type { ClaimCapacity } from './claim-capacity.ts';
import type { Lane } from './lane.ts';
import { createLanes } from './lanes.ts';
import { createLeasedDeliveries } from './leased-deliveries.ts';

export interface Backlog extends ClaimCapacity {
  /** How many deliveries are held: those that wait and those in flight. */
  readonly size: number;
  readonly isFullyInFlight: boolean;
  /**
   * Adds deliveries that were leased together. One that is held already was leased again, because the clock of Postgres
   * jumped: it gets the new lease, and is sent once.
   */
  add(deliveries: readonly Claimed[], lease: LeaseTimes): void;
  /** Returns the next delivery to send. It is in flight from now on. */
  next(nowMs: number): Claimed | undefined;
  end(delivery: Claimed, pace: AttemptPace): void;
  /** Finds the deliveries that waited too long, also those whose turn has not come. */
  findStale(nowMs: number): void;
  /** Removes and returns the deliveries that were found to have waited too long. */
  takeStale(): Claimed[];
  /** Removes and returns the deliveries that wait, for one endpoint or for all. */
  takeWaiting(endpointId?: string): Claimed[];
  inFlight(): Claimed[];
  /** The endpoints for which deliveries wait, or whose cap is reached. */
  busyEndpoints(): string[];
  /** Resolves when nothing is in flight. */
  whenNoneInFlight(): Promise<void>;
}

export interface LeaseTimes {
  /** The time before the statement that leased them was sent. */
  askedAtMs: number;
  /** The time when they came here. */
  nowMs: number;
  /** The usual lease if it is missing. */
  leaseMs?: number;
}

interface BacklogLimits {
  concurrency: number;
  endpointConcurrency: number;
  leaseMs: number;
  timeoutMs: number;
}

/** Not longer, because a delivery that waits here is sent even if its endpoint was removed or changed meanwhile. */
const longestWaitMs = 5000;

export function createBacklog({ concurrency, endpointConcurrency, ...times }: BacklogLimits): Backlog {
  const lanes = createLanes({ concurrency, endpointConcurrency });
  const claimCapacity: ClaimCapacity = lanes;
  const inFlight = new Set<Claimed>();
  const held = createLeasedDeliveries();
  const stale: Claimed[] = [];
  let waitingCount = 0;
  let onNoneInFlight = () => {};

  function takeFirst(lane: Lane, nowMs: number): Claimed | undefined {
    dropStale(lane, nowMs);
    const first = lane.waiting.shift();
    if (first) waitingCount -= 1;
    return first?.delivery;
  }

  function dropStale({ waiting }: Lane, nowMs: number): void {
    for (let first = waiting[0]; first && first.sendByMs < nowMs; first = waiting[0]) {
      waiting.shift();
      waitingCount -= 1;
      stale.push(held.remove(first.delivery));
    }
  }

  function empty(lane: Lane | undefined): Claimed[] {
    if (!lane) return [];
    const taken = lane.waiting.splice(0).map(({ delivery }) => held.remove(delivery));
    waitingCount -= taken.length;
    lanes.refresh(lane);
    return taken;
  }

  return {
    ...claimCapacity,
    get size() {
      return waitingCount + inFlight.size;
    },
    get isFullyInFlight() {
      return inFlight.size >= concurrency;
    },
    add(deliveries, lease) {
      const sendByMs = latestSend({ ...times, ...lease });
      for (const delivery of deliveries.filter((each) => !held.renew(each))) {
        held.add(delivery);
        const lane = lanes.of(delivery);
        lane.waiting.push({ delivery, sendByMs });
        waitingCount += 1;
        lanes.refresh(lane);
      }
    },
    next(nowMs) {
      if (inFlight.size >= concurrency) return undefined;
      for (let lane = lanes.takeTurn(); lane; lane = lanes.takeTurn()) {
        const delivery = takeFirst(lane, nowMs);
        if (delivery) {
          inFlight.add(delivery);
          lane.inFlight += 1;
        }
        lanes.refresh(lane);
        if (delivery) return delivery;
      }
      return undefined;
    },
    end(delivery, pace) {
      if (inFlight.delete(delivery)) {
        held.remove(delivery);
        const lane = lanes.of(delivery);
        lane.inFlight -= 1;
        lanes.adjustCap(lane, pace);
        lanes.refresh(lane);
      }
      if (inFlight.size === 0) onNoneInFlight();
    },
    findStale(nowMs) {
      for (const lane of lanes.all()) {
        dropStale(lane, nowMs);
        lanes.refresh(lane);
      }
    },
    takeStale: () => stale.splice(0),
    takeWaiting(endpointId) {
      const all = endpointId === undefined ? lanes.all() : [lanes.find(endpointId)];
      return all.flatMap(empty);
    },
    inFlight: () => [...inFlight],
    busyEndpoints: lanes.busyEndpoints,
    whenNoneInFlight: () =>
      new Promise((resolve) => {
        onNoneInFlight = resolve;
        if (inFlight.size === 0) resolve();
      }),
  };
}

/**
 * The lease is longer than an attempt. Half of the time that remains is for waiting, the other half for recording the
 * result.
 */
function latestSend({ askedAtMs, nowMs, leaseMs, timeoutMs }: Required<LeaseTimes> & { timeoutMs: number }): number {
  return Math.min(askedAtMs + (leaseMs - timeoutMs) / 2, nowMs + longestWaitMs);
}
