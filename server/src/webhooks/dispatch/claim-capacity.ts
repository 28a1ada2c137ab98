/**
 * Decides how many deliveries may be claimed, in all and for each endpoint. A process claims more than it may have in
 * flight, so that one claim brings many deliveries, but not more than the shares of an endpoint's merchant and mode
 * allow. Pure.
 */

import type { PassedOver } from '../queue/claim.ts';
import type { Caps } from './caps.ts';
import type { Lane } from './lane.ts';
import { heldPerFlight, type Shares } from './shares.ts';

export interface ClaimCapacity {
  /** How many more deliveries may be held. */
  freeCapacity(): number;
  /** How many deliveries one claim may bring. */
  slots(): number;
  /** How many more deliveries may be claimed for each endpoint that holds some or is slow. */
  slotsByEndpoint(): Map<string, number>;
  /** Merchants and modes that a claim leaves out, except for their endpoints in `slotsByEndpoint`. */
  passedOver(): PassedOver[];
  /** How many deliveries may be claimed for any other endpoint. */
  readonly slotsPerNewEndpoint: number;
  /**
   * Whether an endpoint holds at most half of what it may hold here, and may get enough deliveries to be worth a claim.
   */
  isLow(endpointId: string): boolean;
}

interface Known {
  lanes: ReadonlyMap<string, Lane>;
  caps: Caps;
  shares: Shares;
}

/** Less for an endpoint that answers slowly, because most deliveries that wait for it would be handed back. */
const heldPerSlowFlight = 2;
/** A claim is worth its statement when it may bring at least this fraction of what an endpoint may hold. */
const worthAClaim = 1 / 4;

export function createClaimCapacity({ lanes, caps, shares }: Known): ClaimCapacity {
  function mostOf(lane: Lane): number {
    if (caps.isSlow(lane.cap)) {
      return mostOfSlow(lane.isAnswering ? heldPerSlowFlight * caps.most : heldPerFlight * lane.cap);
    }
    return Math.min(heldPerFlight * lane.cap, Math.max(lane.cap, shares.heldByEach(lane.shares)));
  }

  /** All slow endpoints divide the capacity of the slow share equally. Each may hold at least one delivery. */
  function mostOfSlow(most: number): number {
    const { slow } = shares;
    const each = Math.floor((heldPerFlight * slow.most) / Math.max(1, slow.endpoints + caps.slow.size));
    return Math.max(1, Math.min(most, each));
  }

  function freeCapacityOf(lane: Lane): number {
    const free = Math.max(0, mostOf(lane) - heldIn(lane));
    return caps.isSlow(lane.cap) ? free : Math.min(free, shares.restOf(lane.shares));
  }

  return {
    freeCapacity: shares.freeCapacity,
    slots: shares.slots,
    slotsByEndpoint: () =>
      new Map([
        ...Array.from(caps.slow.keys(), (id): [string, number] => [id, mostOfSlow(heldPerFlight)]),
        ...Array.from(lanes, ([id, lane]): [string, number] => [id, freeCapacityOf(lane)]),
      ]),
    passedOver: shares.passedOver,
    slotsPerNewEndpoint: heldPerFlight * caps.start,
    isLow(endpointId) {
      const lane = lanes.get(endpointId);
      if (!lane) return true;
      const most = mostOf(lane);
      return heldIn(lane) <= most / 2 && freeCapacityOf(lane) >= worthAClaim * most;
    },
  };
}

const heldIn = ({ waiting, inFlight }: Lane) => waiting.length + inFlight;
