/**
 * All slow endpoints together hold at most a quarter of the in-flight slots. A merchant, and test mode as a whole,
 * hold at most half of the slots while others wait, and three quarters when none waits. So a quarter of the slots
 * stays free for other merchants, even if every delivery in flight is slow.
 *
 * A cap is the number of deliveries that an endpoint may have in flight. It depends on how long the endpoint's attempts
 * take.
 * See docs/decisions/delivery.md, "A merchant holds at most half of the in-flight slots while others wait".
 */
import type { Mode } from '../../kit/mode.ts';
import type { Exclusion } from '../queue/claim.ts';

export interface Share {
  /** The maximum number of deliveries in flight while other shares have waiting deliveries. */
  readonly max: number;
  readonly maxWhenNoOtherWaits: number;
  inFlight: number;
  /** The number of endpoints that hold deliveries. Slow endpoints count only in the share `slow`. */
  endpoints: number;
  /** The number of deliveries waiting or in flight, without the deliveries of slow endpoints. */
  held: number;
}

export interface Holding {
  inFlight: number;
  /** The number of deliveries of the endpoint that wait or are in flight. */
  held: number;
  isSlow: boolean;
}

export interface Shares {
  readonly test: Share;
  readonly slow: Share;
  /** Of 256 slots, slow endpoints together may hold 64, but may exceed their caps only until they hold 48 slots. */
  readonly beyondCaps: Share;
  /** The caller later calls `leave` once. */
  join(merchantId: string, mode: Mode): Share[];
  leave(merchantId: string): void;
  recount(shares: readonly Share[], before: Holding, now: Holding): void;
  /** Deliveries of slow endpoints do not reduce the free capacity, because they must not prevent claims. */
  freeCapacity(): number;
  slots(): number;
  /** Claims leave out merchants and modes that are almost full, so that no claim is made for a few rows. */
  excluded(): Exclusion[];
  heldByEach(shares: readonly Share[]): number;
  /** Returns the lowest free capacity per endpoint of the almost full shares; Infinity if no share is almost full. */
  restOf(shares: readonly Share[]): number;
}

interface Merchant {
  readonly whole: Share;
  readonly inTest: Share;
  endpoints: number;
}

/** The maximum number of deliveries held, as a multiple of the maximum number in flight. */
export const heldPerFlight = 8;
const slowFraction = 1 / 4;
const fractionWhileOthersWait = 1 / 2;
const fractionWhenNoOtherWaits = 3 / 4;

export function createShares(concurrency: number): Shares {
  const window = newShare(concurrency);
  const test = shareOf(window);
  const slow = newShare(slotsOf(concurrency, slowFraction));
  const beyondCaps = newShare(0, slotsOf(slow.max, fractionWhenNoOtherWaits));
  const merchants = new Map<string, Merchant>();

  /** True while all other shares hold fewer than `concurrency` deliveries, an eighth of what the process may hold. */
  const othersHoldLittle = (share: Share) => window.held - share.held < concurrency;
  const maxHeld = (share: Share) => heldPerFlight * (othersHoldLittle(share) ? share.maxWhenNoOtherWaits : share.max);
  const freeCapacityOf = (share: Share) => maxHeld(share) - share.held;
  const isAlmostFull = (share: Share) => freeCapacityOf(share) < concurrency;

  const restOf = (share: Share) =>
    isAlmostFull(share) ? Math.max(0, freeCapacityOf(share)) / Math.max(1, share.endpoints) : Number.POSITIVE_INFINITY;

  /**
   * All claimed deliveries may be test deliveries of one new merchant, so the limits of merchant and mode apply. Claims
   * leave out a merchant whose share is almost full.
   */
  function slots(): number {
    const forNewMerchant = heldPerFlight * shareOf(test).maxWhenNoOtherWaits;
    return Math.min(freeCapacityOf(window), forNewMerchant, isAlmostFull(test) ? forNewMerchant : freeCapacityOf(test));
  }

  function excluded(): Exclusion[] {
    const found: Exclusion[] = isAlmostFull(test) ? [{ mode: 'test' }] : [];
    for (const [merchantId, { whole, inTest }] of merchants) {
      if (isAlmostFull(whole)) found.push({ merchantId });
      else if (isAlmostFull(inTest)) found.push({ merchantId, mode: 'test' });
    }
    return found;
  }

  return {
    test,
    slow,
    beyondCaps,
    join(merchantId, mode) {
      const merchant = merchants.get(merchantId) ?? { whole: shareOf(window), inTest: shareOf(test), endpoints: 0 };
      merchant.endpoints += 1;
      merchants.set(merchantId, merchant);
      return mode === 'test' ? [merchant.whole, merchant.inTest, test] : [merchant.whole];
    },
    leave(merchantId) {
      const merchant = merchants.get(merchantId);
      if (!merchant) return;
      merchant.endpoints -= 1;
      if (merchant.endpoints === 0) merchants.delete(merchantId);
    },
    recount(shares, before, now) {
      for (const share of shares) count(share, before, now);
      count(window, before, now);
      countSlow(slow, before, now);
      beyondCaps.inFlight = slow.inFlight;
    },
    freeCapacity: () => freeCapacityOf(window),
    slots,
    excluded,
    // One is subtracted, so that a claim that fills every endpoint's slots has a slot left and visits all endpoints.
    heldByEach: (shares) => minOf(shares, (share) => (maxHeld(share) - 1) / Math.max(1, share.endpoints)),
    restOf: (shares) => minOf(shares, restOf),
  };
}

export const hasFreeSlot = (share: Share, noOtherWaits: boolean): boolean =>
  share.inFlight < (noOtherWaits ? share.maxWhenNoOtherWaits : share.max);

const newShare = (max: number, maxWhenNoOtherWaits = max): Share => ({
  max,
  maxWhenNoOtherWaits,
  inFlight: 0,
  endpoints: 0,
  held: 0,
});

const shareOf = ({ max, maxWhenNoOtherWaits }: Share) =>
  newShare(slotsOf(max, fractionWhileOthersWait), slotsOf(maxWhenNoOtherWaits, fractionWhenNoOtherWaits));

const slotsOf = (total: number, fraction: number) => Math.max(1, Math.floor(fraction * total));

/** Called for each endpoint after each delivery, so it allocates no arrays. */
function minOf(shares: readonly Share[], of: (share: Share) => number): number {
  let found = Number.POSITIVE_INFINITY;
  for (const share of shares) found = Math.min(found, of(share));
  return Math.floor(found);
}

function count(share: Share, before: Holding, now: Holding): void {
  share.inFlight += now.inFlight - before.inFlight;
  share.held += (now.isSlow ? 0 : now.held) - (before.isSlow ? 0 : before.held);
  share.endpoints += Number(now.held > 0 && !now.isSlow) - Number(before.held > 0 && !before.isSlow);
}

function countSlow(slow: Share, before: Holding, now: Holding): void {
  slow.inFlight += (now.isSlow ? now.inFlight : 0) - (before.isSlow ? before.inFlight : 0);
  slow.endpoints += Number(now.held > 0 && now.isSlow) - Number(before.held > 0 && before.isSlow);
}

export type AttemptPace = 'quick' | 'slow' | 'time-out' | 'other';

export interface Caps {
  readonly start: number;
  readonly max: number;
  after(cap: number, pace: AttemptPace): number;
  /** Whether slow attempts have lowered the cap to one. */
  isSlow(cap: number): boolean;
  remember(endpointId: string, cap: number): void;
  /** Returns the remembered cap and forgets it, because the caller stores the cap from now on. */
  recall(endpointId: string): number;
  readonly slow: { readonly size: number; keys(): Iterable<string> };
}

export interface TimedAttempt {
  durationMs: number;
  statusCode: number | null;
  error: string | null;
}

/** This cap is low, because a hanging endpoint has it until its first time-out. A cap of one means a slow endpoint. */
const startCap = 2;
const maxRemembered = 1000;
const quickMs = 1000;
const slowMs = 2000;

/**
 * Choice: only the duration decides, because an immediate error frees its slot as quickly as a success.
 * See docs/decisions/delivery.md, "The duration of an attempt decides how many may be in flight".
 */
export function paceOf({ durationMs, statusCode, error }: TimedAttempt): AttemptPace {
  if (error === 'timeout' || error === 'connect_timeout') return 'time-out';
  if (durationMs > slowMs) return 'slow';
  return durationMs < quickMs && error === null && statusCode !== null ? 'quick' : 'other';
}

export function createCaps(max: number): Caps {
  const start = Math.min(startCap, max);
  const slow = new Map<string, number>();
  const fast = new Map<string, number>();
  const isSlow = (cap: number) => cap < start;

  return {
    start,
    max,
    after(cap, pace) {
      if (pace === 'quick') return Math.min(max, 2 * cap);
      return pace === 'other' ? cap : Math.max(start / 2, Math.floor(cap / 2));
    },
    isSlow,
    slow,
    remember(endpointId, cap) {
      if (cap === start) return;
      const memory = isSlow(cap) ? slow : fast;
      memory.set(endpointId, cap);
      if (memory.size <= maxRemembered) return;
      // A map keeps the order of its entries, so its first endpoint has been idle for the longest time.
      const [oldest = ''] = memory.keys();
      memory.delete(oldest);
    },
    recall(endpointId) {
      const cap = slow.get(endpointId) ?? fast.get(endpointId) ?? start;
      slow.delete(endpointId);
      fast.delete(endpointId);
      return cap;
    },
  };
}

export interface ClaimCapacity {
  freeCapacity(): number;
  slots(): number;
  /** How many more deliveries may be claimed for each endpoint that holds deliveries or is slow. */
  slotsByEndpoint(): Map<string, number>;
  excluded(): Exclusion[];
  /** How many deliveries may be claimed for each endpoint that is not in `slotsByEndpoint`. */
  readonly slotsPerNewEndpoint: number;
  isLow(endpointId: string): boolean;
}

interface Load {
  readonly shares: readonly Share[];
  readonly waiting: { readonly length: number };
  inFlight: number;
  cap: number;
  isAnswering: boolean;
}

interface Known {
  lanes: ReadonlyMap<string, Load>;
  caps: Caps;
  shares: Shares;
}

/** With `heldPerFlight`, most deliveries that were claimed for a slow endpoint would be handed back unsent. */
const heldPerSlowFlight = 2;
/** No claim is made for an endpoint while less than this fraction of its capacity is free. */
const worthAClaim = 1 / 4;

export function createClaimCapacity({ lanes, caps, shares }: Known): ClaimCapacity {
  function maxHeldBy(lane: Load): number {
    if (caps.isSlow(lane.cap)) {
      return maxHeldBySlow(lane.isAnswering ? heldPerSlowFlight * caps.max : heldPerFlight * lane.cap);
    }
    return Math.min(heldPerFlight * lane.cap, Math.max(lane.cap, shares.heldByEach(lane.shares)));
  }

  function maxHeldBySlow(max: number): number {
    const { slow } = shares;
    const each = Math.floor((heldPerFlight * slow.max) / Math.max(1, slow.endpoints + caps.slow.size));
    return Math.max(1, Math.min(max, each));
  }

  function freeCapacityOf(lane: Load): number {
    const free = Math.max(0, maxHeldBy(lane) - heldIn(lane));
    return caps.isSlow(lane.cap) ? free : Math.min(free, shares.restOf(lane.shares));
  }

  return {
    freeCapacity: shares.freeCapacity,
    slots: shares.slots,
    slotsByEndpoint: () =>
      new Map([
        ...Array.from(caps.slow.keys(), (id): [string, number] => [id, maxHeldBySlow(heldPerFlight)]),
        ...Array.from(lanes, ([id, lane]): [string, number] => [id, freeCapacityOf(lane)]),
      ]),
    excluded: shares.excluded,
    slotsPerNewEndpoint: heldPerFlight * caps.start,
    isLow(endpointId) {
      const lane = lanes.get(endpointId);
      if (!lane) return true;
      const max = maxHeldBy(lane);
      return heldIn(lane) <= max / 2 && freeCapacityOf(lane) >= worthAClaim * max;
    },
  };
}

const heldIn = ({ waiting, inFlight }: Load) => waiting.length + inFlight;
