/**
 * A receiver that answers at once needs few connections, and with many connections each delivery takes more processor
 * time. When an attempt has waited a tenth of a second for a connection, the limit of its origin is doubled.
 * See docs/decisions/delivery.md, "An origin gets more connections when an attempt waits for one".
 */

export interface UnsentAttempt {
  readonly startedMs: number;
  readonly isOver: boolean;
  dispatch(): void;
}

export interface Origins {
  /** The caller calls `leave` when the attempt has ended. */
  enter(name: string, attempt: UnsentAttempt): void;
  leave(name: string): void;
  /** Called when the connections are about to be closed. */
  dispatchAll(): void;
}

interface Origin {
  max: number;
  inUse: number;
  ended: number;
  waiting: UnsentAttempt[];
  timer: NodeJS.Timeout | undefined;
}

/** With receivers that respond at once, 64 connections carry all deliveries that a process can send. */
const initialMax = 64;
const maxWaitMs = 100;

export function createOrigins(maxConnections: number): Origins {
  const origins = new Map<string, Origin>();

  function newOrigin(name: string): Origin {
    const origin = { max: Math.min(initialMax, maxConnections), inUse: 0, ended: 0, waiting: [], timer: undefined };
    origins.set(name, origin);
    return origin;
  }

  function dispatchNext(origin: Origin): void {
    while (origin.inUse < origin.max) {
      const next = origin.waiting.shift();
      if (!next) return;
      if (!next.isOver) dispatch(origin, next);
    }
  }

  function free(name: string, origin: Origin, count: number): void {
    origin.inUse -= count;
    dispatchNext(origin);
    if (origin.inUse > 0) return;
    clearTimeout(origin.timer);
    origins.delete(name);
  }

  /** Until the next turn of the event loop, undici cannot reuse the connection and would open another connection. */
  function freeSoon(name: string, origin: Origin): void {
    origin.ended += 1;
    if (origin.ended > 1) return;
    const freeAll = () => {
      const { ended } = origin;
      origin.ended = 0;
      free(name, origin, ended);
    };
    setImmediate(() => setImmediate(freeAll));
  }

  // The connections in use keep the process alive, so this timer need not.
  function watch(origin: Origin): void {
    const [first] = origin.waiting;
    if (!first) return;
    const leftMs = Math.max(1, first.startedMs + maxWaitMs - performance.now());
    origin.timer ??= setTimeout(() => check(origin), Math.ceil(leftMs)).unref();
  }

  function check(origin: Origin): void {
    origin.timer = undefined;
    const [first] = origin.waiting;
    if (first && performance.now() - first.startedMs >= maxWaitMs) {
      origin.max = Math.min(2 * origin.max, maxConnections);
      dispatchNext(origin);
    }
    watch(origin);
  }

  return {
    enter(name, attempt) {
      const origin = origins.get(name) ?? newOrigin(name);
      if (origin.inUse < origin.max) return dispatch(origin, attempt);
      origin.waiting.push(attempt);
      watch(origin);
    },
    leave(name) {
      const origin = origins.get(name);
      if (!origin) return;
      if (origin.waiting.length > 0) freeSoon(name, origin);
      else free(name, origin, 1);
    },
    dispatchAll() {
      for (const origin of origins.values()) {
        origin.max = Number.POSITIVE_INFINITY;
        dispatchNext(origin);
      }
    },
  };
}

function dispatch(origin: Origin, attempt: UnsentAttempt): void {
  origin.inUse += 1;
  attempt.dispatch();
}
