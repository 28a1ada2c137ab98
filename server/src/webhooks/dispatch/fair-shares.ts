/**
 * Decides how many deliveries each endpoint, each merchant and test mode may have in flight, and how many may be
 * claimed for them. The functions read no clock and no database.
 *
 * Shares: all slow endpoints together hold at most a quarter of the places in flight. A merchant holds at most half of
 * the places while other merchants wait, and three quarters when none waits. Test mode as a whole has the same limits.
 * So a quarter of the places stays free, and a delivery of another merchant finds a place even if every delivery in
 * flight is slow. Within test mode, a merchant has the same fractions of test mode's places. The same fractions limit
 * the deliveries that are held: the process may hold eight deliveries for each place. For this limit, other merchants
 * count as waiting when they hold at least an eighth of the deliveries that the process may hold.
 *
 * Caps: a cap is the number of deliveries that an endpoint may have in flight. It depends on how long the endpoint's
 * attempts take. The caps of endpoints without deliveries are remembered. An endpoint that is not remembered gets the
 * start cap.
 *
 * Claim capacity: a process claims more deliveries than it may have in flight, so that one claim returns many. It does
 * not claim more than the shares of an endpoint's merchant and mode allow.
 * See docs/decisions/delivery.md, "A merchant holds at most half of the places while others wait".
 */
import type { Mode } from '../../kit/mode.ts';
import type { Exclusion } from '../queue/claim.ts';

export interface Share {
  /** The maximum number of deliveries of this share in flight, while other shares have waiting deliveries. */
  readonly max: number;
  /** The maximum number of deliveries of this share in flight, when no other share has waiting deliveries. */
  readonly maxWhenNoOtherWaits: number;
  inFlight: number;
  /** The number of endpoints of this share that hold deliveries and are not slow. */
  endpoints: number;
  /**
   * The number of deliveries that the endpoints of this share hold, waiting or in flight. Slow endpoints do not count.
   */
  held: number;
}

/** The deliveries that one endpoint holds. */
export interface Holding {
  inFlight: number;
  /** All deliveries of the endpoint, waiting or in flight. */
  held: number;
  isSlow: boolean;
}

export interface Shares {
  readonly test: Share;
  /** The share of all slow endpoints. Only this share counts slow endpoints in `endpoints`. */
  readonly slow: Share;
  /**
   * The limit for slow endpoints beyond their caps. Of 256 places in flight, slow endpoints may hold 64. Slow
   * endpoints may go beyond their caps until all of them together hold 48 places, and only while no other slow
   * endpoint waits.
   */
  readonly beyondCaps: Share;
  /** Adds an endpoint of this merchant and mode, and returns its shares. The caller later calls `leave` once. */
  join(merchantId: string, mode: Mode): Share[];
  leave(merchantId: string): void;
  /** Updates the shares after the holding of one of their endpoints has changed. */
  recount(shares: readonly Share[], before: Holding, now: Holding): void;
  /**
   * How many more deliveries the process may hold. Deliveries of slow endpoints do not count, because they must not
   * prevent claims.
   */
  freeCapacity(): number;
  /** How many deliveries one claim may return without exceeding a share. */
  slots(): number;
  /**
   * The merchants and modes whose share is almost full. Claims leave them out, so that no claim is made for a few rows.
   */
  excluded(): Exclusion[];
  /** How many deliveries each endpoint of these shares may hold, so that no share is exceeded. */
  heldByEach(shares: readonly Share[]): number;
  /** How many more deliveries may be claimed for an endpoint. Infinity unless one of its shares is almost full. */
  restOf(shares: readonly Share[]): number;
}

/** The shares of one merchant. */
interface Merchant {
  /** The share of both modes together. */
  readonly whole: Share;
  readonly inTest: Share;
  endpoints: number;
}

/** The maximum number of deliveries that a process, or an endpoint, holds, as a multiple of the maximum in flight. */
export const heldPerFlight = 8;
const slowFraction = 1 / 4;
const fractionWhileOthersWait = 1 / 2;
const fractionWhenNoOtherWaits = 3 / 4;

export function createShares(concurrency: number): Shares {
  const window = newShare(concurrency);
  const test = shareOf(window);
  const slow = newShare(places(concurrency, slowFraction));
  const beyondCaps = newShare(0, places(slow.max, fractionWhenNoOtherWaits));
  const merchants = new Map<string, Merchant>();

  /**
   * Whether the process holds few deliveries outside this share: fewer than `concurrency`, which is an eighth of the
   * deliveries that the process may hold.
   */
  const othersHoldLittle = (share: Share) => window.held - share.held < concurrency;
  const maxHeld = (share: Share) => heldPerFlight * (othersHoldLittle(share) ? share.maxWhenNoOtherWaits : share.max);
  const freeCapacityOf = (share: Share) => maxHeld(share) - share.held;
  const isAlmostFull = (share: Share) => freeCapacityOf(share) < concurrency;

  const restOf = (share: Share) =>
    isAlmostFull(share) ? Math.max(0, freeCapacityOf(share)) / Math.max(1, share.endpoints) : Number.POSITIVE_INFINITY;

  /**
   * All deliveries that a claim returns may belong to one new merchant and to test mode. So the number of these
   * deliveries is at most the free capacity of test mode, and at most the number that a merchant without deliveries
   * may hold in test mode: 1152 deliveries, if 256 may be in flight. A merchant that already holds deliveries needs no
   * further limit: claims leave it out when its share is almost full, and otherwise its share has free capacity.
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
    // The limit is lowered by one delivery, so that a claim that reaches the limit of every endpoint still has a free
    // slot. A claim with a free slot visits every endpoint.
    heldByEach: (shares) => minOf(shares, (share) => (maxHeld(share) - 1) / Math.max(1, share.endpoints)),
    restOf: (shares) => minOf(shares, restOf),
  };
}

/** Whether one more delivery of the share may be in flight. */
export const hasPlace = (share: Share, noOtherWaits: boolean): boolean =>
  share.inFlight < (noOtherWaits ? share.maxWhenNoOtherWaits : share.max);

const newShare = (max: number, maxWhenNoOtherWaits = max): Share => ({
  max,
  maxWhenNoOtherWaits,
  inFlight: 0,
  endpoints: 0,
  held: 0,
});

const shareOf = ({ max, maxWhenNoOtherWaits }: Share) =>
  newShare(places(max, fractionWhileOthersWait), places(maxWhenNoOtherWaits, fractionWhenNoOtherWaits));

const places = (total: number, fraction: number) => Math.max(1, Math.floor(fraction * total));

/**
 * Returns the lowest value that `of` returns for a share, rounded down. This function is called for each endpoint
 * after each delivery, so it allocates no arrays.
 */
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

/**
 * How long an attempt held its place. `quick`: the answer came in less than a second. `slow`: the attempt took more
 * than two seconds. `time-out`: the attempt reached a time limit. `other`: any other attempt.
 */
export type AttemptPace = 'quick' | 'slow' | 'time-out' | 'other';

export interface Caps {
  /** The cap of an endpoint that is not remembered. */
  readonly start: number;
  /** The highest cap of any endpoint. */
  readonly max: number;
  /** Returns the new cap of an endpoint, after an attempt of this pace under the old cap `cap`. */
  after(cap: number, pace: AttemptPace): number;
  /** Whether slow attempts have lowered the cap to one. */
  isSlow(cap: number): boolean;
  remember(endpointId: string, cap: number): void;
  /** Returns the remembered cap and forgets it, because the caller now stores it. */
  recall(endpointId: string): number;
  /** The ids of the slow endpoints that are remembered. */
  readonly slow: { readonly size: number; keys(): Iterable<string> };
}

/** The part of an attempt's result that decides its pace. */
export interface TimedAttempt {
  durationMs: number;
  /** Null if the receiver did not answer. */
  statusCode: number | null;
  error: string | null;
}

/**
 * The cap of an endpoint that is not remembered. This cap is low, because a hanging endpoint has it until its first
 * time-out, while an endpoint that answers reaches the maximum cap within a few round trips. The start cap is more
 * than one, because a cap of one marks an endpoint as slow.
 */
const startCap = 2;
/** The maximum number of remembered slow endpoints, and the maximum number of remembered fast endpoints. */
const maxRemembered = 1000;
const quickMs = 1000;
const slowMs = 2000;

/**
 * Returns the pace of an attempt. Choice: only the duration decides, and not the status. An immediate error status
 * frees its place as quickly as an immediate success, and a success after fourteen seconds held its place for as long
 * as a time-out. An attempt that fails at once without an answer, such as a refused connection, does not change the
 * cap.
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
  /** How many more deliveries the process may hold. */
  freeCapacity(): number;
  /** How many deliveries one claim may return. */
  slots(): number;
  /** How many more deliveries may be claimed for each endpoint that holds deliveries or is slow. */
  slotsByEndpoint(): Map<string, number>;
  /** The merchants and modes that a claim leaves out, except for their endpoints in `slotsByEndpoint`. */
  excluded(): Exclusion[];
  /** How many deliveries may be claimed for each endpoint that is not in `slotsByEndpoint`. */
  readonly slotsPerNewEndpoint: number;
  /**
   * Whether an endpoint holds at most half of the deliveries that it may hold, and has enough free capacity for a
   * claim.
   */
  isLow(endpointId: string): boolean;
}

/** The part of an endpoint's lane that decides how many deliveries may be claimed for it. */
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

/**
 * The value of `heldPerFlight` for slow endpoints. This value is lower, because most deliveries that wait for a slow
 * endpoint would be handed back.
 */
const heldPerSlowFlight = 2;
/** The free capacity from which a claim is made for an endpoint, as a fraction of the deliveries that it may hold. */
const worthAClaim = 1 / 4;

export function createClaimCapacity({ lanes, caps, shares }: Known): ClaimCapacity {
  function maxHeldBy(lane: Load): number {
    if (caps.isSlow(lane.cap)) {
      return maxHeldBySlow(lane.isAnswering ? heldPerSlowFlight * caps.max : heldPerFlight * lane.cap);
    }
    return Math.min(heldPerFlight * lane.cap, Math.max(lane.cap, shares.heldByEach(lane.shares)));
  }

  /**
   * The capacity of the slow share is divided equally among all slow endpoints. Each may hold at least one delivery.
   */
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
