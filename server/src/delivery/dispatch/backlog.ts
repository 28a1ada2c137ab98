/**
 * What this process has claimed and not yet recorded: what waits here, and what is in flight. More is claimed than may be in
 * flight, so that one claim serves many. Whose turn it is, and how much of it an endpoint may have, is left to `lanes.ts`.
 * What has waited too long is never sent, because its lease could end before its attempt does, and another process would send
 * the same. Pure: the caller hands in the time.
 * See docs/decisions/delivery.md, "A process claims more than it sends at once".
 */

import type { Claimed } from '../queue/claim.ts';
import type { Heard } from './caps.ts';
import type { ClaimRoom } from './claim-room.ts';
import type { Lane } from './lane.ts';
import { createLanes } from './lanes.ts';

export interface Backlog extends ClaimRoom {
  /** How many are held, waiting or in flight. */
  readonly size: number;
  readonly isFullyInFlight: boolean;
  /** Takes in what a claim brought, with the times when it was asked for and when it came. */
  add(deliveries: readonly Claimed[], times: { askedAtMs: number; nowMs: number }): void;
  /** The next one to send, which is in flight from now on. */
  next(nowMs: number): Claimed | undefined;
  end(delivery: Claimed, heard: Heard): void;
  /** Looks for those that waited too long, whether or not their turn came. */
  sweep(nowMs: number): void;
  /** Those that were found to have waited too long. They are no longer held. */
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

/** What waits here does not hear that its endpoint was removed. */
const longestWaitMs = 5000;

export function createBacklog({ concurrency, endpointConcurrency, ...times }: BacklogLimits): Backlog {
  const lanes = createLanes({ concurrency, endpointConcurrency });
  const claimRoom: ClaimRoom = lanes;
  const inFlight = new Set<Claimed>();
  let stale: Claimed[] = [];
  let waitingCount = 0;
  let tellLanded = () => {};

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
      stale.push(first.delivery);
    }
  }

  function empty(lane: Lane | undefined): Claimed[] {
    if (!lane) return [];
    const taken = lane.waiting.splice(0).map(({ delivery }) => delivery);
    waitingCount -= taken.length;
    lanes.settle(lane);
    return taken;
  }

  return {
    ...claimRoom,
    get size() {
      return waitingCount + inFlight.size;
    },
    get isFullyInFlight() {
      return inFlight.size >= concurrency;
    },
    add(deliveries, asked) {
      const sendByMs = latestSend(times, asked);
      for (const delivery of deliveries) {
        const lane = lanes.of(delivery);
        lane.waiting.push({ delivery, sendByMs });
        waitingCount += 1;
        lanes.settle(lane);
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
        lanes.settle(lane);
        if (delivery) return delivery;
      }
      return undefined;
    },
    end(delivery, heard) {
      if (inFlight.delete(delivery)) {
        const lane = lanes.of(delivery);
        lane.inFlight -= 1;
        lanes.hear(lane, heard);
        lanes.settle(lane);
      }
      if (inFlight.size === 0) tellLanded();
    },
    sweep(nowMs) {
      for (const lane of lanes.all()) {
        dropStale(lane, nowMs);
        lanes.settle(lane);
      }
    },
    takeStale() {
      const taken = stale;
      stale = [];
      return taken;
    },
    takeWaiting(endpointId) {
      const all = endpointId === undefined ? lanes.all() : [lanes.find(endpointId)];
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
