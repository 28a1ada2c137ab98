/**
 * Merchants take turns, and so do the endpoints of a merchant. An endpoint is slow when slow answers or time-outs have
 * lowered its cap to one. A slow endpoint that answers may go beyond its cap while no other slow endpoint waits.
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
  hasFreeSlot,
  type Share,
} from './fair-shares.ts';

export interface FairQueue extends ClaimCapacity {
  readonly size: number;
  readonly isFullyInFlight: boolean;
  /**
   * If the clock of Postgres jumps, a held delivery may be leased again. It gets the new lease and is sent only once.
   */
  add(deliveries: readonly Claimed[], lease: LeaseTimes): void;
  next(nowMs: number): Claimed | undefined;
  end(delivery: Claimed, pace: AttemptPace): void;
  /** Finds deliveries that waited too long, also in lanes whose turn has not come. */
  findStale(nowMs: number): void;
  takeStale(): Claimed[];
  takeWaiting(endpointId?: string): Claimed[];
  inFlight(): Claimed[];
  busyEndpoints(): string[];
  whenNoneInFlight(): Promise<void>;
}

export interface LeaseTimes {
  /** The time just before the statement that leased the deliveries was sent. */
  statementAtMs: number;
  /** The time when the leased deliveries were received. */
  nowMs: number;
  /** How long the lease lasts; by default as long as a claim's lease. */
  leaseMs?: number;
}

interface QueueLimits {
  concurrency: number;
  endpointConcurrency: number;
  leaseMs: number;
  timeoutMs: number;
}

/** Deliveries wait only this short time, because a waiting delivery is sent even if its endpoint has been removed. */
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

/** A lease lasts longer than an attempt: half of the difference is for waiting, and half for recording the result. */
function latestSend({
  statementAtMs,
  nowMs,
  leaseMs,
  timeoutMs,
}: Required<LeaseTimes> & { timeoutMs: number }): number {
  return Math.min(statementAtMs + (leaseMs - timeoutMs) / 2, nowMs + maxWaitMs);
}

/** After each change of a lane, `refresh` must be called. */
interface Lane {
  readonly endpointId: string;
  readonly merchantId: string;
  readonly mode: Mode;
  readonly shares: readonly Share[];
  readonly waiting: { delivery: Claimed; sendByMs: number }[];
  inFlight: number;
  cap: number;
  /** True after a quick or slow attempt, false after a time-out. The pace `other` does not change the value. */
  isAnswering: boolean;
  /** The list in which the lane waits for its turn; undefined when the lane does not wait. */
  waitingList: WaitingList | undefined;
  counted: Holding;
}

function createLanes(concurrency: number, endpointConcurrency: number) {
  const caps = createCaps(endpointConcurrency);
  const shares = createShares(concurrency);
  const turns = createTurns();
  const waitingLists = { live: waitingListsWithin([]), test: waitingListsWithin([shares.test]) };
  const lanes = new Map<string, Lane>();

  /** Three lists, because all slow endpoints share one limit, and those beyond their caps share a lower limit. */
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
    adjustCap(lane: Lane, pace: AttemptPace): void {
      lane.cap = caps.after(lane.cap, pace);
      if (pace !== 'other') lane.isAnswering = pace !== 'time-out';
    },
    /** Removes the lane from its waiting list. `refresh` adds it again, behind the other lanes of its merchant. */
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
  add(lane: Lane): void;
  remove(lane: Lane): void;
  next(noOtherWaits: boolean): Turn | undefined;
}

interface Turn {
  number: number;
  take(): Lane | undefined;
}

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
    // Shares use their higher limits only if no lane waits whose shares are below their normal limits.
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
      const mayGo = (shares: readonly Share[]) => shares.every((share) => hasFreeSlot(share, noOtherWaits));
      if (queues.size === 0 || !mayGo(limits)) return undefined;
      // The loop is short: it skips only merchants that hold a large part of all slots.
      for (const [merchantId, queue] of queues)
        if (mayGo(queue.shares)) return { number: queue.turnNumber, take: () => take(merchantId, queue) };
      return undefined;
    },
  };
}

/** A process may lease a delivery again if the clock of Postgres jumps, or if a result waits longer than its lease. */
interface LeasedDeliveries {
  add(delivery: Claimed): void;
  /** Gives a held delivery its new lease. Returns false if no delivery is held for the same attempt. */
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
