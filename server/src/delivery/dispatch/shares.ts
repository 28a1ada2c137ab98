/**
 * How many places of the window a merchant, test mode and the slow endpoints may hold, and how much may be claimed for them.
 * The slow endpoints never hold more than a quarter. A merchant and test mode hold at most half while others wait. When nobody
 * else waits they may hold three quarters: a quarter stays free, so that a delivery of anybody else finds a place even if all
 * that is in flight turns out to take long. A merchant in test mode holds the same parts of what test mode may hold. The same
 * parts hold for what is claimed; there, others count as waiting once they hold an eighth of all that may be held. Pure.
 * See docs/decisions/delivery.md, "A merchant holds at most half of the places while others wait".
 */
import type { Mode } from '../../kit/mode.ts';
import type { PassedOver } from '../queue/claim.ts';

export interface Share {
  /** Places that it may hold while others wait, and when nobody else waits. */
  readonly most: number;
  readonly mostAlone: number;
  inFlight: number;
  /** Its endpoints that hold something and are not slow, and what they hold, waiting or in flight. */
  endpoints: number;
  held: number;
}

/** What one endpoint holds. */
export interface Holding {
  inFlight: number;
  /** What is in flight included. */
  held: number;
  isSlow: boolean;
}

export interface Shares {
  readonly test: Share;
  /** Of all slow endpoints: its `endpoints` counts these, which the other shares leave out. */
  readonly slow: Share;
  /** The part of the slow share that may be used beyond the caps of endpoints, while no other slow one waits. */
  readonly beyondCaps: Share;
  /** The shares in which a merchant's endpoint of this mode counts. Each call is followed by a `leave`. */
  join(merchantId: string, mode: Mode): Share[];
  leave(merchantId: string): void;
  /** Counts what an endpoint with such shares holds now, instead of what it held before. */
  recount(shares: readonly Share[], before: Holding, now: Holding): void;
  /** How many more may be held. What slow endpoints hold does not count: it must not keep others from being claimed. */
  room(): number;
  /** How many one claim may bring, so that no share is exceeded. */
  slots(): number;
  /** Those whose share has little room left, so that no claim is made for a few rows. */
  passedOver(): PassedOver[];
  /** What each endpoint may hold, so that all of its merchant and mode find room. */
  heldByEach(shares: readonly Share[]): number;
  /** How many more may be claimed of an endpoint, when one of its shares is almost used up. */
  restOf(shares: readonly Share[]): number;
}

/** What a merchant may hold in all, and in test mode. */
interface Merchant {
  readonly whole: Share;
  readonly inTest: Share;
  endpoints: number;
}

/** How many times what may be in flight is held here, for each endpoint and for all. */
export const heldPerFlight = 8;
const slowPart = 1 / 4;
const part = 1 / 2;
const partAlone = 3 / 4;

export function createShares(concurrency: number): Shares {
  const window = newShare(concurrency);
  const test = shareOf(window);
  const slow = newShare(places(concurrency, slowPart));
  const beyondCaps = newShare(0, places(slow.most, partAlone));
  const merchants = new Map<string, Merchant>();

  /** Others hold so little that there is room for all of them. */
  const isNearlyAlone = (share: Share) => window.held - share.held < concurrency;
  const mostHeld = (share: Share) => heldPerFlight * (isNearlyAlone(share) ? share.mostAlone : share.most);
  const roomOf = (share: Share) => mostHeld(share) - share.held;
  const isAlmostUsedUp = (share: Share) => roomOf(share) < concurrency;

  const restOf = (share: Share) =>
    isAlmostUsedUp(share) ? Math.max(0, roomOf(share)) / Math.max(1, share.endpoints) : Number.POSITIVE_INFINITY;

  /**
   * A claim may bring endpoints that are not known here, perhaps all of one merchant. Those of a merchant that holds something
   * already fit into its share, because a merchant is passed over when little is left. So what is left for test mode, and what a
   * merchant that holds nothing may have in it, are the limits.
   */
  function slots(): number {
    const forNewMerchant = heldPerFlight * shareOf(test).mostAlone;
    return Math.min(roomOf(window), forNewMerchant, isAlmostUsedUp(test) ? forNewMerchant : roomOf(test));
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
    room: () => roomOf(window),
    slots,
    passedOver,
    // One less than there is room for: a claim that brings all of it is then not full, and has looked at every endpoint.
    heldByEach: (shares) => least(shares, (share) => (mostHeld(share) - 1) / Math.max(1, share.endpoints)),
    restOf: (shares) => least(shares, restOf),
  };
}

export const hasPlace = (share: Share, isAlone: boolean): boolean =>
  share.inFlight < (isAlone ? share.mostAlone : share.most);

const newShare = (most: number, mostAlone = most): Share => ({ most, mostAlone, inFlight: 0, endpoints: 0, held: 0 });

const shareOf = ({ most, mostAlone }: Share) => newShare(places(most, part), places(mostAlone, partAlone));

const places = (of: number, part: number) => Math.max(1, Math.floor(part * of));

/** Asked for each endpoint after each delivery, so it makes no arrays. */
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
