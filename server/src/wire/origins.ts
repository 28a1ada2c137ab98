/**
 * Limits how many connections one origin gets. A few are enough for receivers that answer at once, and many cost each
 * delivery processor time. An attempt waits here while all connections of its origin are in use. When one has waited
 * for a tenth of a second, the origin gets twice as many: its receivers are slow or far away.
 * See docs/decisions/delivery.md, "An origin gets more connections when an attempt waits for one".
 */

/** An attempt that needs a connection. */
export interface UnsentAttempt {
  readonly startedMs: number;
  /** Whether its time ran out while it waited. */
  readonly isOver: boolean;
  dispatch(): void;
}

export interface Origins {
  /** Dispatches the attempt as soon as its origin has a free connection. It calls `leave` when it has ended. */
  enter(name: string, attempt: UnsentAttempt): void;
  /** Frees the connection of an attempt that was dispatched. */
  leave(name: string): void;
  /** Dispatches all that wait, because the connections are about to be closed. */
  dispatchAll(): void;
}

interface Origin {
  /** The most connections that it may use now. */
  most: number;
  inUse: number;
  /** How many of those in use are about to become free. */
  ended: number;
  waiting: UnsentAttempt[];
  timer: NodeJS.Timeout | undefined;
}

const usualMost = 64;
const longestWaitMs = 100;

export function createOrigins(mostConnections: number): Origins {
  /** Those whose connections are in use. */
  const origins = new Map<string, Origin>();

  function newOrigin(name: string): Origin {
    const origin = { most: Math.min(usualMost, mostConnections), inUse: 0, ended: 0, waiting: [], timer: undefined };
    origins.set(name, origin);
    return origin;
  }

  function dispatchNext(origin: Origin): void {
    while (origin.inUse < origin.most) {
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

  /** Undici uses a connection again only in the next turn of the event loop. Before that, it would open another one. */
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

  // The timer keeps no process alive: the connections in use do.
  function watch(origin: Origin): void {
    const [first] = origin.waiting;
    if (!first) return;
    const leftMs = Math.max(1, first.startedMs + longestWaitMs - performance.now());
    origin.timer ??= setTimeout(() => check(origin), Math.ceil(leftMs)).unref();
  }

  function check(origin: Origin): void {
    origin.timer = undefined;
    const [first] = origin.waiting;
    if (first && performance.now() - first.startedMs >= longestWaitMs) {
      origin.most = Math.min(2 * origin.most, mostConnections);
      dispatchNext(origin);
    }
    watch(origin);
  }

  return {
    enter(name, attempt) {
      const origin = origins.get(name) ?? newOrigin(name);
      if (origin.inUse < origin.most) return dispatch(origin, attempt);
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
        origin.most = Number.POSITIVE_INFINITY;
        dispatchNext(origin);
      }
    },
  };
}

function dispatch(origin: Origin, attempt: UnsentAttempt): void {
  origin.inUse += 1;
  attempt.dispatch();
}
