/**
 * What waits for each endpoint, and whose turn it is. None has more in flight than its cap, which `caps.ts` knows; what a
 * merchant, test mode and the slow endpoints hold together is left to `shares.ts`, the order of those that have one to send to
 * `turns.ts`, and how much to claim to `claim-room.ts`. An endpoint is slow once slow answers or time-outs brought its cap down
 * to one. While no other slow endpoint waits for the place, one that does answer may go beyond its cap. Pure.
 * See docs/decisions/delivery.md, "A slow endpoint that answers may go beyond its cap".
 */

import type { Claimed } from '../queue/claim.ts';
import { createCaps, type Heard } from './caps.ts';
import { type ClaimRoom, createClaimRoom } from './claim-room.ts';
import type { Lane } from './lane.ts';
import { createShares, type Share } from './shares.ts';
import { createTurns, type Line } from './turns.ts';

export interface Lanes extends ClaimRoom {
  of(delivery: Claimed): Lane;
  find(endpointId: string): Lane | undefined;
  all(): Lane[];
  /** Forgets a lane that holds nothing, except for its cap. */
  settle(lane: Lane): void;
  hear(lane: Lane, heard: Heard): void;
  /** The lane whose turn it is. Once settled, it is the last of its merchant. */
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
  const lines = { live: linesWithin([]), test: linesWithin([shares.test]) };
  const lanes = new Map<string, Lane>();

  function linesWithin(limits: Share[]) {
    return {
      usual: turns.newLine(limits),
      slow: turns.newLine([...limits, shares.slow]),
      beyondCap: turns.newLine([...limits, shares.beyondCaps]),
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
      line: undefined,
      counted: { inFlight: 0, held: 0, isSlow: false },
    };
    lanes.set(endpointId, lane);
    return lane;
  }

  function settle(lane: Lane): void {
    const { inFlight, waiting, cap } = lane;
    const holding = { inFlight, held: waiting.length + inFlight, isSlow: caps.isSlow(cap) };
    shares.recount(lane.shares, lane.counted, holding);
    lane.counted = holding;
    lineUp(lane, lineOf(lane));
    if (holding.held > 0) return;
    lanes.delete(lane.endpointId);
    shares.leave(lane.merchantId);
    caps.remember(lane.endpointId, cap);
  }

  function lineOf({ mode, waiting, inFlight, cap, isAnswering }: Lane): Line<Lane> | undefined {
    if (waiting.length === 0) return undefined;
    const isSlow = caps.isSlow(cap);
    if (inFlight < cap) return isSlow ? lines[mode].slow : lines[mode].usual;
    return isSlow && isAnswering && inFlight < endpointConcurrency ? lines[mode].beyondCap : undefined;
  }

  function lineUp(lane: Lane, line: Line<Lane> | undefined): void {
    if (line === lane.line) return;
    lane.line?.remove(lane);
    line?.add(lane);
    lane.line = line;
  }

  return {
    ...createClaimRoom({ lanes, caps, shares }),
    of: laneOf,
    find: (endpointId) => lanes.get(endpointId),
    all: () => [...lanes.values()],
    settle,
    hear(lane, heard) {
      lane.cap = caps.after(lane.cap, heard);
      if (heard !== 'other') lane.isAnswering = heard !== 'time-out';
    },
    takeTurn() {
      const lane = turns.take();
      if (lane) lane.line = undefined;
      return lane;
    },
  };
}
