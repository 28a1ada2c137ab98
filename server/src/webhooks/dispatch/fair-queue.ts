/**
 * Holds the deliveries of this process. A delivery first waits in the lane of its endpoint for a place in flight, and
 * is then in flight. This file decides which delivery is next; `fair-shares.ts` decides how many deliveries an
 * endpoint and a merchant may have in flight. The code reads no clock: the caller passes the time.
 *
 * Merchants take turns, and the endpoints of a merchant take turns. There are separate waiting lists for usual
 * endpoints, for slow endpoints, and for slow endpoints beyond their caps, and each list has a limit for all its
 * endpoints together. Endpoints whose shares are below their normal limit go first. Only if no such endpoint waits may
 * a share use its higher limit. An endpoint is slow when slow answers or time-outs have lowered its cap to one. A slow
 * endpoint that does answer may go beyond its cap while no other slow endpoint waits.
 *
 * A delivery that waited too long is never sent: its lease could end before its attempt does, and another process would
 * send it too.
 * See docs/decisions/delivery.md, "A process claims more than it sends at once".
 * See docs/decisions/delivery.md, "A slow endpoint that answers may go beyond its cap".
 */
import type { Claimed } from '../../context.ts';
import type { Mode } from '../../kit/mode.ts';
import {
  type AttemptPace,
  type ClaimCapacity,
  createCaps,
  createClaimCapacity,
  createShares,
  type Holding,
  hasPlace,
  type Share,
} from './fair-shares.ts';

export interface FairQueue extends ClaimCapacity {
  /** The number of deliveries that this process holds, waiting or in flight. */
  readonly size: number;
  readonly isFullyInFlight: boolean;
  /**
   * Adds deliveries that were leased together. If the clock of Postgres jumps, a delivery in the queue can be leased
   * again. Such a delivery gets the new lease and is still sent only once.
   */
  add(deliveries: readonly Claimed[], lease: LeaseTimes): void;
  /** Returns the next delivery to send, and counts it as in flight; undefined if no delivery may be sent now. */
  next(nowMs: number): Claimed | undefined;
  end(delivery: Claimed, pace: AttemptPace): void;
  /** Finds the deliveries that waited too long, also in lanes whose turn has not come. */
  findStale(nowMs: number): void;
  /** Removes and returns the deliveries that waited too long and that `next` or `findStale` has found. */
  takeStale(): Claimed[];
  /** Removes and returns the waiting deliveries of the given endpoint, or of all endpoints. */
  takeWaiting(endpointId?: string): Claimed[];
  inFlight(): Claimed[];
  /** The endpoints that have waiting deliveries or have reached their cap. */
  busyEndpoints(): string[];
  /** Resolves when no delivery is in flight. */
  whenNoneInFlight(): Promise<void>;
}

export interface LeaseTimes {
  /** The time just before the leasing statement was sent. */
  statementAtMs: number;
  /** The time when the leased deliveries were received. */
  nowMs: number;
  /** The length of the lease; by default the length of a claim's lease. */
  leaseMs?: number;
}

interface QueueLimits {
  concurrency: number;
  endpointConcurrency: number;
  leaseMs: number;
  timeoutMs: number;
}

/**
 * The maximum time in the queue. It is short, because a delivery is sent even if its endpoint was removed or changed
 * after the claim.
 */
const maxWaitMs = 5000;

export function createFairQueue({ concurrency, endpointConcurrency, ...times }: QueueLimits): FairQueue {
  const lanes = createLanes(concurrency, endpointConcurrency);
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
    ...lanes.claimCapacity,
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
 * Returns the latest time to send a delivery. The lease lasts longer than an attempt may take. Half of the difference
 * is for waiting, and the other half for recording the result.
 */
function latestSend({
  statementAtMs,
  nowMs,
  leaseMs,
  timeoutMs,
}: Required<LeaseTimes> & { timeoutMs: number }): number {
  return Math.min(statementAtMs + (leaseMs - timeoutMs) / 2, nowMs + maxWaitMs);
}

/** The deliveries of one endpoint that this process holds. After each change of a lane, `refresh` must be called. */
interface Lane {
  readonly endpointId: string;
  readonly merchantId: string;
  readonly mode: Mode;
  readonly shares: readonly Share[];
  readonly waiting: { delivery: Claimed; sendByMs: number }[];
  inFlight: number;
  cap: number;
  /** Whether the last attempt was answered, even if slowly. Attempts of the pace `other` do not count. */
  isAnswering: boolean;
  /** The list in which the lane waits for its turn; undefined when the lane does not wait. */
  waitingList: WaitingList | undefined;
  /** The holding of this lane that its shares include at present. */
  counted: Holding;
}

/** Holds the lane of each endpoint, and keeps shares and waiting lists up to date with the lanes. */
function createLanes(concurrency: number, endpointConcurrency: number) {
  const caps = createCaps(endpointConcurrency);
  const shares = createShares(concurrency);
  const turns = createTurns();
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

  /**
   * Updates the shares and the waiting list after a change of the lane. Deletes a lane without deliveries, but
   * remembers its cap.
   */
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

  function waitingListOf({ mode, waiting, inFlight, cap, isAnswering }: Lane): WaitingList | undefined {
    if (waiting.length === 0) return undefined;
    const isSlow = caps.isSlow(cap);
    if (inFlight < cap) return isSlow ? waitingLists[mode].slow : waitingLists[mode].usual;
    return isSlow && isAnswering && inFlight < endpointConcurrency ? waitingLists[mode].beyondCap : undefined;
  }

  function moveTo(list: WaitingList | undefined, lane: Lane): void {
    if (list === lane.waitingList) return;
    lane.waitingList?.remove(lane);
    list?.add(lane);
    lane.waitingList = list;
  }

  return {
    claimCapacity: createClaimCapacity({ lanes, caps, shares }),
    of: laneOf,
    find: (endpointId: string): Lane | undefined => lanes.get(endpointId),
    all: () => [...lanes.values()],
    busyEndpoints: () => Array.from(lanes.values()).filter(isBusy).map(idOf),
    refresh,
    /** Raises or lowers the cap of the lane after an attempt. */
    adjustCap(lane: Lane, pace: AttemptPace): void {
      lane.cap = caps.after(lane.cap, pace);
      if (pace !== 'other') lane.isAnswering = pace !== 'time-out';
    },
    /**
     * Removes the next lane from its waiting list and returns it. `refresh` then adds the lane again, as the last of
     * its merchant's lanes.
     */
    takeTurn(): Lane | undefined {
      const lane = turns.take();
      if (lane) lane.waitingList = undefined;
      return lane;
    },
  };
}

const isBusy = ({ waiting, inFlight, cap }: Lane) => waiting.length > 0 || inFlight >= cap;

const idOf = ({ endpointId }: Lane) => endpointId;

interface WaitingList {
  /** Adds the lane as its merchant's last lane. A merchant without a lane in the list is added as the last merchant. */
  add(lane: Lane): void;
  remove(lane: Lane): void;
  /**
   * Returns the turn of the first merchant that may have one more delivery in flight; undefined if no merchant may.
   */
  next(noOtherWaits: boolean): Turn | undefined;
}

interface Turn {
  /** The turn with the lowest number is next. */
  number: number;
  /** Removes the merchant's first lane from the list and returns it. The merchant becomes the last merchant. */
  take(): Lane | undefined;
}

/** One merchant's lanes in a waiting list, in the order of their turns. */
interface MerchantLanes {
  lanes: Set<Lane>;
  shares: readonly Share[];
  turnNumber: number;
}

function createTurns() {
  const waitingLists: WaitingList[] = [];
  let turns = 0;
  const nextTurnNumber = () => {
    turns += 1;
    return turns;
  };

  function takeFirst(noOtherWaits: boolean): Lane | undefined {
    let first: Turn | undefined;
    for (const list of waitingLists) {
      const next = list.next(noOtherWaits);
      if (next && (!first || next.number < first.number)) first = next;
    }
    return first?.take();
  }

  return {
    newWaitingList(limits: readonly Share[]): WaitingList {
      const list = createWaitingList(limits, nextTurnNumber);
      waitingLists.push(list);
      return list;
    },
    /** Removes the next lane from its list and returns it. */
    take: (): Lane | undefined => takeFirst(false) ?? takeFirst(true),
  };
}

function createWaitingList(limits: readonly Share[], nextTurnNumber: () => number): WaitingList {
  const queues = new Map<string, MerchantLanes>();

  function take(merchantId: string, queue: MerchantLanes): Lane | undefined {
    const [lane] = queue.lanes;
    queues.delete(merchantId);
    if (lane === undefined) return undefined;
    queue.lanes.delete(lane);
    // A map keeps the order of its entries, so this merchant is now the last.
    if (queue.lanes.size > 0) queues.set(merchantId, { ...queue, turnNumber: nextTurnNumber() });
    return lane;
  }

  return {
    add(lane) {
      const { merchantId, shares } = lane;
      const queue = queues.get(merchantId);
      if (queue) queue.lanes.add(lane);
      else queues.set(merchantId, { lanes: new Set([lane]), shares, turnNumber: nextTurnNumber() });
    },
    remove(lane) {
      const queue = queues.get(lane.merchantId);
      queue?.lanes.delete(lane);
      if (queue?.lanes.size === 0) queues.delete(lane.merchantId);
    },
    next(noOtherWaits) {
      const mayGo = (shares: readonly Share[]) => shares.every((share) => hasPlace(share, noOtherWaits));
      if (queues.size === 0 || !mayGo(limits)) return undefined;
      // Skips merchants whose share is full. There are few such merchants, because each holds a large part of all
      // places.
      for (const [merchantId, queue] of queues)
        if (mayGo(queue.shares)) return { number: queue.turnNumber, take: () => take(merchantId, queue) };
      return undefined;
    },
  };
}

/**
 * Deliveries that this process has leased, by id. The process may lease such a delivery again if the clock of Postgres
 * jumps, or if the database is unreachable and the result waits for longer than the lease.
 */
interface LeasedDeliveries {
  add(delivery: Claimed): void;
  /**
   * Replaces the lease of a known delivery that was leased again. Returns whether the delivery is known. A delivery
   * that was leased for its next attempt counts as unknown, because the previous attempt is recorded already.
   */
  renew(leasedAgain: Claimed): boolean;
  remove(delivery: Claimed): Claimed;
}

export function createLeasedDeliveries(): LeasedDeliveries {
  const byId = new Map<string, Claimed>();
  return {
    add(delivery) {
      byId.set(delivery.id, delivery);
    },
    renew({ id, lease, attemptCount }) {
      const known = byId.get(id);
      if (!known || known.attemptCount !== attemptCount) return false;
      known.lease = lease;
      return true;
    },
    remove(delivery) {
      if (byId.get(delivery.id) === delivery) byId.delete(delivery.id);
      return delivery;
    },
  };
}
