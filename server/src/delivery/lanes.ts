/**
 * What waits for each endpoint, and whose turn it is. None has more in flight than its cap, which `caps.ts` knows, and those
 * that have one to send take turns. Those that time-outs brought down to one are slow: together they hold a quarter of the
 * window and no more, so that any number of receivers that hang leaves most of it to the others. Pure.
 */
import { createCaps, type Heard } from './caps.ts';
import type { Claimed } from './claim.ts';

/** One endpoint's share. Whoever changes what waits or is in flight settles it afterwards. */
export interface Lane {
  readonly endpointId: string;
  readonly waiting: { delivery: Claimed; sendByMs: number }[];
  inFlight: number;
  cap: number;
  /** The lower, the earlier. */
  turn: number;
  /** What its group counts of it. */
  counted: { group: Group; waiting: number; inFlight: number };
}

/** The slow lanes, or the others. */
interface Group {
  readonly mostInFlight: number;
  /** Those that have one waiting and may send it, in the order of their turns. */
  readonly ready: Set<Lane>;
  lanes: number;
  waiting: number;
  inFlight: number;
}

export interface Lanes {
  of(endpointId: string): Lane;
  all(): Lane[];
  /** Forgets a lane that holds nothing, except for its cap. */
  settle(lane: Lane): void;
  hear(lane: Lane, heard: Heard): void;
  /** The lane whose turn it is. Once settled, it is the last in the queue. */
  takeTurn(): Lane | undefined;
  /** How many more may be claimed. What slow lanes hold does not count: it must not keep others from being claimed. */
  room(): number;
  /** How many more may be claimed of each endpoint that holds something or is slow. */
  rooms(): Map<string, number>;
  /** How many may be claimed of any other endpoint. */
  readonly firstRoom: number;
  /** Whether an endpoint is down to half of what it may hold here. */
  isLow(endpointId: string): boolean;
}

interface LaneLimits {
  concurrency: number;
  endpointConcurrency: number;
}

/** How many times what may be in flight is held here, for each endpoint and for all. */
export const heldPerFlight = 8;
const slowShare = 1 / 4;

export function createLanes({ concurrency, endpointConcurrency }: LaneLimits): Lanes {
  const caps = createCaps(endpointConcurrency);
  const lanes = new Map<string, Lane>();
  const quick = newGroup(concurrency);
  const slow = newGroup(Math.max(1, Math.floor(slowShare * concurrency)));
  let turns = 0;

  function laneOf(endpointId: string): Lane {
    const existing = lanes.get(endpointId);
    if (existing) return existing;
    const cap = caps.recall(endpointId);
    const counted = { group: groupOf(cap), waiting: 0, inFlight: 0 };
    const lane = { endpointId, waiting: [], inFlight: 0, cap, turn: 0, counted };
    counted.group.lanes += 1;
    lanes.set(endpointId, lane);
    return lane;
  }

  const groupOf = (cap: number) => (caps.isSlow(cap) ? slow : quick);

  function settle(lane: Lane): void {
    const { group: last } = lane.counted;
    const group = groupOf(lane.cap);
    recount(lane, group);
    const mayGo = lane.waiting.length > 0 && lane.inFlight < lane.cap;
    if (group !== last || !mayGo) last.ready.delete(lane);
    if (mayGo && !group.ready.has(lane)) lineUp(lane);
    if (heldIn(lane) > 0) return;
    group.lanes -= 1;
    lanes.delete(lane.endpointId);
    caps.remember(lane.endpointId, lane.cap);
  }

  function lineUp(lane: Lane): void {
    turns += 1;
    lane.turn = turns;
    lane.counted.group.ready.add(lane);
  }

  /** The slow ones share what a quarter of the window comes to, one each at least. */
  function mayHold(cap: number): number {
    if (!caps.isSlow(cap)) return heldPerFlight * cap;
    const fair = Math.floor((heldPerFlight * slow.mostInFlight) / (slow.lanes + caps.slow.size));
    return Math.max(1, Math.min(heldPerFlight * cap, fair));
  }

  return {
    of: laneOf,
    all: () => [...lanes.values()],
    settle,
    hear(lane, heard) {
      lane.cap = caps.after(lane.cap, heard);
    },
    takeTurn() {
      const [one, other] = [firstOf(quick), firstOf(slow)];
      const first = one && other && other.turn < one.turn ? other : (one ?? other);
      if (first) first.counted.group.ready.delete(first);
      return first;
    },
    room: () => heldPerFlight * concurrency - quick.waiting - quick.inFlight,
    rooms: () =>
      new Map([
        ...Array.from(caps.slow.keys(), (id): [string, number] => [id, mayHold(1)]),
        ...Array.from(lanes, ([id, lane]): [string, number] => [id, Math.max(0, mayHold(lane.cap) - heldIn(lane))]),
      ]),
    firstRoom: heldPerFlight * caps.start,
    isLow(endpointId) {
      const lane = lanes.get(endpointId);
      return !lane || heldIn(lane) <= mayHold(lane.cap) / 2;
    },
  };
}

const newGroup = (mostInFlight: number): Group => ({
  mostInFlight,
  ready: new Set(),
  lanes: 0,
  waiting: 0,
  inFlight: 0,
});

function firstOf(group: Group): Lane | undefined {
  return group.inFlight < group.mostInFlight ? group.ready.values().next().value : undefined;
}

function recount(lane: Lane, group: Group): void {
  const { counted } = lane;
  counted.group.lanes -= 1;
  counted.group.waiting -= counted.waiting;
  counted.group.inFlight -= counted.inFlight;
  lane.counted = { group, waiting: lane.waiting.length, inFlight: lane.inFlight };
  group.lanes += 1;
  group.waiting += lane.waiting.length;
  group.inFlight += lane.inFlight;
}

const heldIn = (lane: Lane) => lane.waiting.length + lane.inFlight;
