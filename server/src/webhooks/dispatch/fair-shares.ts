/**
 * How much each endpoint, each merchant and test mode may have in flight, and how much may be claimed for them. Pure.
 *
 * Shares: the slow endpoints together never hold more than a quarter of the places in flight. A merchant, and test mode, hold at most
 * half while others wait, and at most three quarters when no other waits. The last quarter stays free, so that a
 * delivery of another merchant finds a place even if everything in flight turns out to be slow. Within test mode a
 * merchant has the same limits, as fractions of test mode's places. Claimed deliveries, of which there may be several
 * for each place, have these limits too. For them, others are waiting when they hold at least an eighth of the total.
 *
 * Caps: the cap of an endpoint, how many deliveries it may have in flight, depends on how long its attempts hold their
 * places. The caps of endpoints that hold nothing now are remembered; an endpoint that was forgotten gets the start cap.
 *
 * Claim capacity: a process claims more than it may have in flight, so that one claim brings many deliveries, but not
 * more than the shares of an endpoint's merchant and mode allow.
 * See docs/decisions/delivery.md, "A merchant holds at most half of the places while others wait".
 */
import type { Mode } from '../../kit/mode.ts';
import type { PassedOver } from '../queue/claim.ts';

export interface Share {
  /** How many places it may hold while others wait. */
  readonly most: number;
  /** How many places it may hold when no other waits. */
  readonly mostWhenNoOtherWaits: number;
  inFlight: number;
  /** How many of its endpoints hold deliveries and are not slow, and how many they hold, waiting or in flight. */
  endpoints: number;
  held: number;
}

/** The deliveries that one endpoint holds. */
export interface Holding {
  inFlight: number;
  /** Those that wait and those in flight. */
  held: number;
  isSlow: boolean;
}

export interface Shares {
  readonly test: Share;
  /** The share of all slow endpoints. Its `endpoints` counts slow endpoints, which the other shares leave out. */
  readonly slow: Share;
  /**
   * Limits the slow endpoints that go beyond their caps. Of 256 places, the slow share is 64, and slow endpoints go
   * beyond their caps only until they hold 48 together, and only while no other slow endpoint waits.
   */
  readonly beyondCaps: Share;
  /**
   * Returns the shares in which a merchant's endpoint of this mode is counted. Each call is followed by one of `leave`.
   */
  join(merchantId: string, mode: Mode): Share[];
  leave(merchantId: string): void;
  /** Replaces what an endpoint with these shares held before by what it holds now. */
  recount(shares: readonly Share[], before: Holding, now: Holding): void;
  /** How many more may be held. Deliveries of slow endpoints are not counted: they must not prevent other claims. */
  freeCapacity(): number;
  /** How many deliveries one claim may bring without exceeding a share. */
  slots(): number;
  /**
   * Merchants and modes whose share is almost used up: claims leave them out, so that no claim is made for a few rows.
   */
  passedOver(): PassedOver[];
  /** How many deliveries each endpoint may hold, so that its shares are enough for all endpoints counted in them. */
  heldByEach(shares: readonly Share[]): number;
  /** How many more may be claimed for an endpoint. Infinity unless one of its shares is almost used up. */
  restOf(shares: readonly Share[]): number;
}

/** The shares of a merchant: in all, and in test mode. */
interface Merchant {
  readonly whole: Share;
  readonly inTest: Share;
  endpoints: number;
}

/** How many deliveries may be held for each one that may be in flight, both for an endpoint and in all. */
export const heldPerFlight = 8;
const slowFraction = 1 / 4;
const fractionWhileOthersWait = 1 / 2;
const fractionWhenNoOtherWaits = 3 / 4;

export function createShares(concurrency: number): Shares {
  const window = newShare(concurrency);
  const test = shareOf(window);
  const slow = newShare(places(concurrency, slowFraction));
  const beyondCaps = newShare(0, places(slow.most, fractionWhenNoOtherWaits));
  const merchants = new Map<string, Merchant>();

  /** True when all others together hold fewer deliveries than may be in flight, an eighth of what may be held. */
  const othersHoldLittle = (share: Share) => window.held - share.held < concurrency;
  const mostHeld = (share: Share) =>
    heldPerFlight * (othersHoldLittle(share) ? share.mostWhenNoOtherWaits : share.most);
  const freeCapacityOf = (share: Share) => mostHeld(share) - share.held;
  const isAlmostUsedUp = (share: Share) => freeCapacityOf(share) < concurrency;

  const restOf = (share: Share) =>
    isAlmostUsedUp(share)
      ? Math.max(0, freeCapacityOf(share)) / Math.max(1, share.endpoints)
      : Number.POSITIVE_INFINITY;

  /**
   * A claim may bring deliveries of endpoints that hold nothing here yet. All of them may belong to one merchant, and
   * all to test mode. So a claim brings at most what is free in test mode, and at most what a merchant that holds
   * nothing yet may hold in test mode: 1152 deliveries, where 256 may be in flight. A merchant that holds deliveries
   * already needs no further limit. Claims leave it out when its share is almost used up, and otherwise its share has
   * free capacity.
   */
  function slots(): number {
    const forNewMerchant = heldPerFlight * shareOf(test).mostWhenNoOtherWaits;
    return Math.min(
      freeCapacityOf(window),
      forNewMerchant,
      isAlmostUsedUp(test) ? forNewMerchant : freeCapacityOf(test),
    );
  }

  function passedOver(): PassedOver[] {
    const found: PassedOver[] = isAlmostUsedUp(test) ? [{ mode: 'test' }] : [];
    for (const [merchantId, { whole, inTest }] of merchants) {
      if (isAlmostUsedUp(whole)) found.push({ merchantId });
      else if (isAlmostUsedUp(inTest)) found.push({ merchantId, mode: 'test' });
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
    passedOver,
    // All endpoints of the share together hold at least one delivery less than the share allows. So a claim that brings
    // each endpoint this many does not use up its slots, and therefore visits every endpoint.
    heldByEach: (shares) => least(shares, (share) => (mostHeld(share) - 1) / Math.max(1, share.endpoints)),
    restOf: (shares) => least(shares, restOf),
  };
}

export const hasPlace = (share: Share, noOtherWaits: boolean): boolean =>
  share.inFlight < (noOtherWaits ? share.mostWhenNoOtherWaits : share.most);

const newShare = (most: number, mostWhenNoOtherWaits = most): Share => ({
  most,
  mostWhenNoOtherWaits,
  inFlight: 0,
  endpoints: 0,
  held: 0,
});

const shareOf = ({ most, mostWhenNoOtherWaits }: Share) =>
  newShare(places(most, fractionWhileOthersWait), places(mostWhenNoOtherWaits, fractionWhenNoOtherWaits));

const places = (total: number, fraction: number) => Math.max(1, Math.floor(fraction * total));

/** Runs for each endpoint after each delivery, so it makes no arrays. */
function least(shares: readonly Share[], of: (share: Share) => number): number {
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
 * How long an attempt held its place. `quick`: an answer came in less than a second. `slow`: the attempt took more than
 * two seconds. `time-out`: it reached a time limit. `other`: none of these.
 */
export type AttemptPace = 'quick' | 'slow' | 'time-out' | 'other';

export interface Caps {
  /** The cap of an endpoint that is not remembered. */
  readonly start: number;
  /** The highest cap of any endpoint. */
  readonly most: number;
  after(cap: number, pace: AttemptPace): number;
  /** Whether slow attempts lowered the cap to one. */
  isSlow(cap: number): boolean;
  remember(endpointId: string, cap: number): void;
  /** Returns the cap and forgets it, because the caller keeps it from now on. */
  recall(endpointId: string): number;
  /** The slow endpoints that are remembered, by their ids. */
  readonly slow: { readonly size: number; keys(): Iterable<string> };
}

/** The part of an attempt's result that decides its pace. */
export interface TimedAttempt {
  durationMs: number;
  /** Null when no answer came. */
  statusCode: number | null;
  error: string | null;
}

/**
 * Low, because an endpoint that hangs keeps this cap until its first time-out, while an endpoint that answers reaches
 * the highest cap within a few round trips. More than one, because a cap of one means that an endpoint is slow.
 */
const startCap = 2;
/** The most slow endpoints that are remembered, and the most fast ones. */
const mostRemembered = 1000;
const quickMs = 1000;
const slowMs = 2000;

/**
 * Choice: the time decides and the status does not. An error status that comes at once frees its place as soon as a
 * success does, and a success after fourteen seconds held its place for as long as a time-out. An attempt that fails at
 * once without an answer, such as a refused connection, does not change the cap.
 * See docs/decisions/delivery.md, "A place in flight is judged by how long it is held".
 */
export function paceOf({ durationMs, statusCode, error }: TimedAttempt): AttemptPace {
  if (error === 'timeout' || error === 'connect_timeout') return 'time-out';
  if (durationMs > slowMs) return 'slow';
  return durationMs < quickMs && error === null && statusCode !== null ? 'quick' : 'other';
}

export function createCaps(most: number): Caps {
  const start = Math.min(startCap, most);
  const slow = new Map<string, number>();
  const fast = new Map<string, number>();
  const isSlow = (cap: number) => cap < start;

  return {
    start,
    most,
    after(cap, pace) {
      if (pace === 'quick') return Math.min(most, 2 * cap);
      return pace === 'other' ? cap : Math.max(start / 2, Math.floor(cap / 2));
    },
    isSlow,
    slow,
    remember(endpointId, cap) {
      if (cap === start) return;
      const memory = isSlow(cap) ? slow : fast;
      memory.set(endpointId, cap);
      if (memory.size <= mostRemembered) return;
      // A map keeps the order of its entries, so the first endpoint is the one that has been idle for longest.
      const [longestIdle = ''] = memory.keys();
      memory.delete(longestIdle);
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

/** The part of an endpoint's lane that decides how much may be claimed for it. */
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

/** Less for an endpoint that answers slowly, because most deliveries that wait for it would be handed back. */
const heldPerSlowFlight = 2;
/** A claim is worth its statement when it may bring at least this fraction of what an endpoint may hold. */
const worthAClaim = 1 / 4;

export function createClaimCapacity({ lanes, caps, shares }: Known): ClaimCapacity {
  function mostOf(lane: Load): number {
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

  function freeCapacityOf(lane: Load): number {
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

const heldIn = ({ waiting, inFlight }: Load) => waiting.length + inFlight;
