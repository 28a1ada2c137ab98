/**
 * One query for all waiting calls checks whether their merchants have new events: soon after a commit of this process,
 * and at a steady interval for commits of other processes. A call that is not woken misses no event, because the
 * reader's next call reads first.
 * See docs/decisions/delivery.md, "Calls that wait for events share one query".
 */
import type { EventOwner, EventWaits, WaitForEvent } from '../../context.ts';
import { createAlarm } from '../../kit/alarm.ts';
import { coalesce } from '../../kit/coalesce.ts';

export interface Watched extends EventOwner {
  since: bigint;
}

export interface FoundEvent extends EventOwner {
  position: string;
  isFinal: boolean;
}

interface Waiting {
  since: bigint;
  isPatient: boolean;
  /** A `woken` call waits only for its turn to read. */
  state: 'waiting' | 'woken' | 'ended';
  end(mayRead: boolean): void;
  fail(error: unknown): void;
}

interface OwnerCalls {
  key: string;
  calls: Waiting[];
}

interface WaitRates {
  everyMs: number;
  /** The first pause before the next check of an event that is not final yet. Each further pause is twice as long. */
  soonMs: number;
}

interface WaitSettings {
  find(watched: readonly Watched[]): Promise<FoundEvent[]>;
  onFailure(error: unknown): void;
}

/** `NOTIFY` would be faster, but every commit that notifies takes a lock on the whole database. */
const usualRates: WaitRates = { everyMs: 500, soonMs: 10 };

/** One event may wake hundreds of calls. If all of them read at once, all other requests would wait. */
const maxReading = 4;

export function createEventWaits(
  { find, onFailure }: WaitSettings,
  { everyMs, soonMs }: WaitRates = usualRates,
): EventWaits {
  const register = createRegister();
  const turns = createTurns();
  const toCheck = new Set<string>();
  let isDue = false;
  let isStopped = false;
  let pauseMs = soonMs;
  let steady: NodeJS.Timeout | undefined;
  const { ring: check } = coalesce(look, onFailure);
  const soon = createAlarm(check);

  async function look(): Promise<void> {
    const isForAll = isDue;
    const due = takeDueCalls();
    if (due.length === 0) return;
    try {
      const found = await find(due.map(({ key, calls }) => ({ ...ownerOf(key), since: lowestOf(calls) })));
      const left = found.filter((event) => wake(event, isForAll));
      for (const event of left) lookSoon(keyOf(event));
      pauseMs = left.length > 0 ? Math.min(pauseMs * 2, everyMs) : soonMs;
    } catch (error) {
      for (const call of due.flatMap(({ calls }) => calls)) call.fail(error);
      throw error;
    }
  }

  function takeDueCalls(): OwnerCalls[] {
    const keys = isDue ? register.keys() : [...toCheck];
    const due = keys.map((key) => ({ key, calls: register.callsOf(key, isDue) }));
    isDue = false;
    toCheck.clear();
    if (register.keys().length === 0) {
      clearInterval(steady);
      steady = undefined;
    }
    return due.filter(({ calls }) => calls.length > 0);
  }

  /** Returns true if other calls of the owner must be checked again soon. */
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
    toCheck.add(key);
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
      // The owner is checked soon, because an event may have been committed but not final when this call read.
      if (!wait.isPatient) lookSoon(keyOf(owner));
      return (await register.waitFor(keyOf(owner), wait)) ? turns.take(read) : null;
    },
    ring(owner) {
      const key = keyOf(owner);
      if (register.callsOf(key, false).length === 0) return;
      toCheck.add(key);
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

function createRegister() {
  const waiting = new Map<string, Set<Waiting>>();

  function remove(key: string, call: Waiting): void {
    const calls = waiting.get(key);
    calls?.delete(call);
    if (calls?.size === 0) waiting.delete(key);
  }

  return {
    /** Resolves to true when it is the turn of this call to read, and to false when `leftMs` is over. */
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

/** Merchants take turns, so that no merchant waits for all calls of another merchant. */
function createTurns() {
  const queues = new Map<string, Waiting[]>();
  let reading = 0;

  function startReading(): void {
    while (reading < maxReading) {
      const call = takeFirst();
      if (!call) return;
      reading += 1;
      call.end(true);
    }
  }

  function takeFirst(): Waiting | undefined {
    for (const [key, [first, ...others]] of queues) {
      queues.delete(key);
      if (others.length > 0) queues.set(key, others);
      // A call that timed out while it waited for its turn is no longer `woken`, and is skipped.
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
