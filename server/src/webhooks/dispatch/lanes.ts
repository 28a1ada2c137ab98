/**
 * The deliveries that wait for each endpoint, and whose turn it is. `caps.ts` decides how many deliveries an endpoint
 * may have in flight, and `shares.ts` how many places a merchant, test mode and the slow endpoints may hold together.
 * `turns.ts` decides the order, and `claim-capacity.ts` how much to claim. An endpoint is slow when slow answers or
 * time-outs have lowered its cap to one. While no other slow endpoint waits for a place, a slow endpoint that does
 * answer may go beyond its cap. Pure.
 * See docs/decisions/delivery.md, "A slow endpoint that answers may go beyond its cap".
 */

import type { Claimed } from '../../wire/claimed.ts';
import { type AttemptPace, createCaps } from './caps.ts';
import { type ClaimCapacity, createClaimCapacity } from './claim-capacity.ts';
import type { Lane } from './lane.ts';
import { createShares, type Share } from './shares.ts';
import { createTurns, type WaitingList } from './turns.ts';

export interface Lanes extends ClaimCapacity {
  of(delivery: Claimed): Lane;
  find(endpointId: string): Lane | undefined;
  all(): Lane[];
  /** The endpoints for which deliveries wait, or whose cap is reached. */
  busyEndpoints(): string[];
  /**
   * Counts what the lane holds now and puts it into the right waiting list. Forgets a lane that holds nothing, but
   * not its cap.
   */
  refresh(lane: Lane): void;
  /** Raises or lowers the lane's cap after an attempt. */
  adjustCap(lane: Lane, pace: AttemptPace): void;
  /** Takes the lane whose turn it is out of its waiting list. `refresh` makes it the last lane of its merchant. */
  takeTurn(): Lane | undefined;
}

interface LaneLimits {
  concurrency: number;
  endpointConcurrency: number;
}

export function createLanes({ concurrency, endpointConcurrency }: LaneLimits): Lanes {
  const caps = createCaps(endpointConcurrency);
  const shares = createShares(concurrency);
  const turns = createTurns<Lane>();
  const waitingLists = { live: waitingListsWithin([]), test: waitingListsWithin([shares.test]) };
  const lanes = new Map<string, Lane>();

  function waitingListsWithin(limits: Share[]) {
    return {
      usual: turns.newWaitingList(limits),
      slow: turns.newWaitingList([...limits, shares.slow]),
      beyondCap: turns.newWaitingList([...limits, shares.beyondCaps]),
    };
  }

  function laneOf({ endpointId, target: { merchantId, mode } }: Claimed): Lane {
    const existing = lanes.get(endpointId);
    if (existing) return existing;
    const lane: Lane = {
      endpointId,
      merchantId,
      mode,
      shares: shares.join(merchantId, mode),
      waiting: [],
      inFlight: 0,
      cap: caps.recall(endpointId),
      isAnswering: false,
      waitingList: undefined,
      counted: { inFlight: 0, held: 0, isSlow: false },
    };
    lanes.set(endpointId, lane);
    return lane;
  }

  function refresh(lane: Lane): void {
    const { inFlight, waiting, cap } = lane;
    const holding = { inFlight, held: waiting.length + inFlight, isSlow: caps.isSlow(cap) };
    shares.recount(lane.shares, lane.counted, holding);
    lane.counted = holding;
    moveTo(waitingListOf(lane), lane);
    if (holding.held > 0) return;
    lanes.delete(lane.endpointId);
    shares.leave(lane.merchantId);
    caps.remember(lane.endpointId, cap);
  }

  function waitingListOf({ mode, waiting, inFlight, cap, isAnswering }: Lane): WaitingList<Lane> | undefined {
    if (waiting.length === 0) return undefined;
    const isSlow = caps.isSlow(cap);
    if (inFlight < cap) return isSlow ? waitingLists[mode].slow : waitingLists[mode].usual;
    return isSlow && isAnswering && inFlight < endpointConcurrency ? waitingLists[mode].beyondCap : undefined;
  }

  function moveTo(list: WaitingList<Lane> | undefined, lane: Lane): void {
    if (list === lane.waitingList) return;
    lane.waitingList?.remove(lane);
    list?.add(lane);
    lane.waitingList = list;
  }

  return {
    ...createClaimCapacity({ lanes, caps, shares }),
    of: laneOf,
    find: (endpointId) => lanes.get(endpointId),
    all: () => [...lanes.values()],
    busyEndpoints: () => Array.from(lanes.values()).filter(isBusy).map(idOf),
    refresh,
    adjustCap(lane, pace) {
      lane.cap = caps.after(lane.cap, pace);
      if (pace !== 'other') lane.isAnswering = pace !== 'time-out';
    },
    takeTurn() {
      const lane = turns.take();
      if (lane) lane.waitingList = undefined;
      return lane;
    },
  };
}

const isBusy = ({ waiting, inFlight, cap }: Lane) => waiting.length > 0 || inFlight >= cap;

const idOf = ({ endpointId }: Lane) => endpointId;
