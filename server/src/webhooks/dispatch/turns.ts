/**
 * Decides whose turn it is. Merchants take turns, and the endpoints of each merchant take turns. Each kind of endpoint
 * waits in its own list, and a list has limits for all endpoints in it together. An endpoint goes first if its shares
 * then hold no more than they may while others wait. Only if there is no such endpoint, one may use what its shares may
 * hold when no other waits. Pure.
 */
import { hasPlace, type Share } from './shares.ts';

/** A lane that waits for a turn, and the shares in which its turn is counted. */
interface Waiting {
  readonly merchantId: string;
  readonly shares: readonly Share[];
}

export interface WaitingList<Lane extends Waiting> {
  /**
   * Puts the lane behind the merchant's other lanes. A merchant that had no lane in the list becomes the last merchant.
   */
  add(lane: Lane): void;
  remove(lane: Lane): void;
  /** Returns the turn of the first merchant that may have one more delivery in flight. */
  next(noOtherWaits: boolean): Turn<Lane> | undefined;
}

interface Turn<Lane> {
  /** The lowest number goes first. */
  number: number;
  /** Takes the merchant's first lane out of the list. The merchant becomes the last. */
  take(): Lane | undefined;
}

export interface Turns<Lane extends Waiting> {
  newWaitingList(limits: readonly Share[]): WaitingList<Lane>;
  /** Takes the lane whose turn it is out of its list and returns it. */
  take(): Lane | undefined;
}

/** The lanes of one merchant in a list, in the order of their turns. */
interface Queue<Lane> {
  lanes: Set<Lane>;
  shares: readonly Share[];
  turnNumber: number;
}

export function createTurns<Lane extends Waiting>(): Turns<Lane> {
  const waitingLists: WaitingList<Lane>[] = [];
  let turns = 0;
  const nextTurnNumber = () => {
    turns += 1;
    return turns;
  };

  function takeFirst(noOtherWaits: boolean): Lane | undefined {
    let first: Turn<Lane> | undefined;
    for (const list of waitingLists) {
      const next = list.next(noOtherWaits);
      if (next && (!first || next.number < first.number)) first = next;
    }
    return first?.take();
  }

  return {
    newWaitingList(limits) {
      const list = createWaitingList<Lane>(limits, nextTurnNumber);
      waitingLists.push(list);
      return list;
    },
    take: () => takeFirst(false) ?? takeFirst(true),
  };
}

function createWaitingList<Lane extends Waiting>(
  limits: readonly Share[],
  nextTurnNumber: () => number,
): WaitingList<Lane> {
  const queues = new Map<string, Queue<Lane>>();

  function take(merchantId: string, queue: Queue<Lane>): Lane | undefined {
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
      // Skips merchants whose share is used up. They are few, because each of them holds a large part of the places.
      for (const [merchantId, queue] of queues)
        if (mayGo(queue.shares)) return { number: queue.turnNumber, take: () => take(merchantId, queue) };
      return undefined;
    },
  };
}
