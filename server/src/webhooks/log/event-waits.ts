/**
 * Calls that wait for an event, in the memory of this process. They hold no connection. One query for all of them looks
 * whether their merchants have new events: soon after a commit of this process, and at a steady interval for commits of
 * other processes. Without calls that wait, there is no query.
 *
 * To wake a call only means that it is worth reading again, and that it reads when it is its turn. A call that is not woken
 * passes over no event: its time ends, and the next call begins by reading.
 * See docs/decisions/delivery.md, "Calls that wait for events share one query".
 */
import type { EventOwner, EventWaits, WaitForEvent } from '../../context.ts';
import { createAlarm } from '../../kit/alarm.ts';
import { coalesce } from '../../kit/coalesce.ts';

/** The merchant and mode of calls that wait, and the lowest position that one of them has not read. */
export interface Watched extends EventOwner {
  since: bigint;
}

/** The first event of an owner that one of its calls has not read. */
export interface FoundEvent extends EventOwner {
  position: string;
  isFinal: boolean;
}

interface Waiting {
  since: bigint;
  /** It has read events that did not match its filter, so it reads again only at the steady interval. */
  isPatient: boolean;
  /** `woken` when it waits only for its turn to read. */
  state: 'waiting' | 'woken' | 'ended';
  end(mayRead: boolean): void;
  fail(error: unknown): void;
}

interface Asked {
  key: string;
  calls: Waiting[];
}

interface WaitRates {
  /** How often all are looked for. */
  everyMs: number;
  /** The first pause before an event that is not final yet is looked for again. Each pause is twice as long. */
  soonMs: number;
}

interface WaitSettings {
  find(watched: readonly Watched[]): Promise<FoundEvent[]>;
  onFailure(error: unknown): void;
}

/**
 * Half a second is the most by which an event of another process is late. `NOTIFY` would be faster, but every commit
 * that notifies takes a lock of the whole database.
 */
const usualRates: WaitRates = { everyMs: 500, soonMs: 10 };

/**
 * How many woken calls read at once. One event may wake hundreds, and if all read together, every other caller would wait
 * until the database and this process have served them.
 */
const mostReading = 4;

export function createEventWaits(
  { find, onFailure }: WaitSettings,
  { everyMs, soonMs }: WaitRates = usualRates,
): EventWaits {
  const register = createRegister();
  const turns = createTurns();
  /** The owners to look for in the next query. */
  const rung = new Set<string>();
  let isDue = false;
  let isStopped = false;
  let pauseMs = soonMs;
  let steady: NodeJS.Timeout | undefined;
  const { ring: check } = coalesce(look, onFailure);
  const soon = createAlarm(check);

  async function look(): Promise<void> {
    const isForAll = isDue;
    const asked = takeAsked();
    if (asked.length === 0) return;
    try {
      const found = await find(asked.map(({ key, calls }) => ({ ...ownerOf(key), since: lowestOf(calls) })));
      const left = found.filter((event) => wake(event, isForAll));
      for (const event of left) lookSoon(keyOf(event));
      pauseMs = left.length > 0 ? Math.min(pauseMs * 2, everyMs) : soonMs;
    } catch (error) {
      for (const call of asked.flatMap(({ calls }) => calls)) call.fail(error);
      throw error;
    }
  }

  /** Returns the calls for which the next query looks. Without calls that wait, nothing is looked for until one comes. */
  function takeAsked(): Asked[] {
    const keys = isDue ? register.keys() : [...rung];
    const asked = keys.map((key) => ({ key, calls: register.callsOf(key, isDue) }));
    isDue = false;
    rung.clear();
    if (register.keys().length === 0) {
      clearInterval(steady);
      steady = undefined;
    }
    return asked.filter(({ calls }) => calls.length > 0);
  }

  /** Wakes the calls that have not read this event. True when calls of its owner are left for which to look again soon. */
  function wake(event: FoundEvent, isForAll: boolean): boolean {
    const key = keyOf(event);
    const position = BigInt(event.position);
    const calls = event.isFinal ? register.callsOf(key, isForAll) : [];
    turns.give(
      key,
      calls.filter(({ since }) => since <= position),
    );
    return register.callsOf(key, false).length > 0;
  }

  function lookSoon(key: string): void {
    rung.add(key);
    soon.within(pauseMs);
  }

  function lookSteadily(): void {
    steady ??= setInterval(() => {
      isDue = true;
      check();
    }, everyMs).unref();
  }

  return {
    async next(owner, wait, read) {
      if (isStopped || wait.signal?.aborted) return null;
      lookSteadily();
      // The event for which a commit rang may not have been final when this call read.
      if (!wait.isPatient) lookSoon(keyOf(owner));
      return (await register.waitFor(keyOf(owner), wait)) ? turns.take(read) : null;
    },
    ring(owner) {
      const key = keyOf(owner);
      if (register.callsOf(key, false).length === 0) return;
      rung.add(key);
      pauseMs = soonMs;
      check();
    },
    count: register.count,
    stop() {
      isStopped = true;
      clearInterval(steady);
      soon.cancel();
      register.endAll();
    },
  };
}

/** The calls that wait, by the key of their owner. */
function createRegister() {
  const waiting = new Map<string, Set<Waiting>>();

  function remove(key: string, call: Waiting): void {
    const calls = waiting.get(key);
    calls?.delete(call);
    if (calls?.size === 0) waiting.delete(key);
  }

  return {
    /** Resolves to true when it is the turn of this call to read, and to false when its time is over. */
    waitFor(key: string, { since, leftMs, isPatient, signal }: WaitForEvent): Promise<boolean> {
      return new Promise((resolve, reject) => {
        const leave = () => call.end(false);
        const timer = setTimeout(leave, leftMs);
        const forget = () => {
          clearTimeout(timer);
          signal?.removeEventListener('abort', leave);
          remove(key, call);
          call.state = 'ended';
        };
        const call: Waiting = {
          since,
          isPatient,
          state: 'waiting',
          end(mayRead) {
            forget();
            resolve(mayRead);
          },
          fail(error) {
            forget();
            reject(error);
          },
        };
        signal?.addEventListener('abort', leave);
        waiting.set(key, (waiting.get(key) ?? new Set()).add(call));
      });
    },
    keys: () => [...waiting.keys()],
    callsOf: (key: string, isForAll: boolean) =>
      [...(waiting.get(key) ?? [])].filter(({ isPatient, state }) => state === 'waiting' && (isForAll || !isPatient)),
    endAll() {
      for (const calls of [...waiting.values()]) for (const call of [...calls]) call.end(false);
    },
    count: () => [...waiting.values()].reduce((sum, { size }) => sum + size, 0),
  };
}

/** Lets woken calls read, a few at once, and the merchants one after another, so that none waits for all calls of another. */
function createTurns() {
  const queues = new Map<string, Waiting[]>();
  let reading = 0;

  function startReading(): void {
    while (reading < mostReading) {
      const call = takeFirst();
      if (!call) return;
      reading += 1;
      call.end(true);
    }
  }

  /** Takes a call from the first queue, which is then the last. */
  function takeFirst(): Waiting | undefined {
    for (const [key, [first, ...others]] of queues) {
      queues.delete(key);
      if (others.length > 0) queues.set(key, others);
      // The time of a call may end while it waits for its turn.
      if (first?.state === 'woken') return first;
    }
    return undefined;
  }

  return {
    give(key: string, calls: readonly Waiting[]): void {
      for (const call of calls) call.state = 'woken';
      if (calls.length > 0) queues.set(key, [...(queues.get(key) ?? []), ...calls]);
      startReading();
    },
    /** Runs the work of a call whose turn it is. */
    async take<Answer>(read: () => Promise<Answer>): Promise<Answer> {
      try {
        return await read();
      } finally {
        reading -= 1;
        startReading();
      }
    },
  };
}

const keyOf = ({ merchantId, mode }: EventOwner): string => `${mode} ${merchantId}`;

function ownerOf(key: string): EventOwner {
  const [mode, merchantId] = key.split(' ') as [EventOwner['mode'], string];
  return { merchantId, mode };
}

const lowestOf = (calls: readonly Waiting[]): bigint =>
  calls.reduce((lowest, { since }) => (since < lowest ? since : lowest), calls[0]?.since ?? 0n);
