/**
 * How much may be claimed: of all, and of each endpoint. More is claimed than may be in flight, so that one claim serves many,
 * and no more than the shares of an endpoint's merchant and mode have room for. Pure.
 */

import type { PassedOver } from '../queue/claim.ts';
import type { Caps } from './caps.ts';
import type { Lane } from './lane.ts';
import { heldPerFlight, type Shares } from './shares.ts';

export interface ClaimRoom {
  /** How many more may be held. */
  room(): number;
  /** How many of them one claim may bring. */
  slots(): number;
  /** How many more may be claimed of each endpoint that holds something or is slow. */
  rooms(): Map<string, number>;
  /** Merchants and modes that a claim leaves out, except for their endpoints in `rooms`. */
  passedOver(): PassedOver[];
  /** How many may be claimed of any other endpoint. */
  readonly firstRoom: number;
  /** Whether an endpoint is down to half of what it may hold here, and has room for enough to be worth a claim. */
  isLow(endpointId: string): boolean;
}

interface Known {
  lanes: ReadonlyMap<string, Lane>;
  caps: Caps;
  shares: Shares;
}

/** Of an endpoint that answers slowly, because what waits for it is handed back before long. */
const heldPerSlowFlight = 2;
/** Of what an endpoint may hold. */
const worthAClaim = 1 / 4;

export function createClaimRoom({ lanes, caps, shares }: Known): ClaimRoom {
  function mostOf(lane: Lane): number {
    if (caps.isSlow(lane.cap)) {
      return mostOfSlow(lane.isAnswering ? heldPerSlowFlight * caps.most : heldPerFlight * lane.cap);
    }
    return Math.min(heldPerFlight * lane.cap, Math.max(lane.cap, shares.heldByEach(lane.shares)));
  }

  /** The slow ones share what their part of the window comes to, one each at least. */
  function mostOfSlow(most: number): number {
    const { slow } = shares;
    const each = Math.floor((heldPerFlight * slow.most) / Math.max(1, slow.endpoints + caps.slow.size));
    return Math.max(1, Math.min(most, each));
  }

  function roomOf(lane: Lane): number {
    const room = Math.max(0, mostOf(lane) - heldIn(lane));
    return caps.isSlow(lane.cap) ? room : Math.min(room, shares.restOf(lane.shares));
  }

  return {
    room: shares.room,
    slots: shares.slots,
    rooms: () =>
      new Map([
        ...Array.from(caps.slow.keys(), (id): [string, number] => [id, mostOfSlow(heldPerFlight)]),
        ...Array.from(lanes, ([id, lane]): [string, number] => [id, roomOf(lane)]),
      ]),
    passedOver: shares.passedOver,
    firstRoom: heldPerFlight * caps.start,
    isLow(endpointId) {
      const lane = lanes.get(endpointId);
      if (!lane) return true;
      const most = mostOf(lane);
      return heldIn(lane) <= most / 2 && roomOf(lane) >= worthAClaim * most;
    },
  };
}

const heldIn = ({ waiting, inFlight }: Lane) => waiting.length + inFlight;
