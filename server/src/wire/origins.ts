/**
 * Limits the number of connections to each origin. Receivers that answer at once need only a few connections, and with
 * many connections each delivery takes more processor time. An attempt waits here while all connections of its origin
 * are in use. When an attempt has waited for a tenth of a second, the limit of its origin is doubled, because its
 * receivers are slow or far away.
 * See docs/decisions/delivery.md, "An origin gets more connections when an attempt waits for one".
 */

/** An attempt that needs a connection. */
export interface UnsentAttempt {
  readonly startedMs: number;
  /** Whether the attempt timed out while it waited. */
  readonly isOver: boolean;
  dispatch(): void;
}

export interface Origins {
  /**
   * Dispatches the attempt as soon as its origin has a free connection. The caller calls `leave` when the attempt has
   * ended.
   */
  enter(name: string, attempt: UnsentAttempt): void;
  /** Frees the connection of a dispatched attempt. */
  leave(name: string): void;
  /** Dispatches all waiting attempts, because the connections are about to be closed. */
  dispatchAll(): void;
}

interface Origin {
  /** The current limit of the connections of this origin. */
  max: number;
  inUse: number;
  /**
   * The number of connections whose attempt has ended, and which can be used again in the next turn of the event loop.
   */
  ended: number;
  waiting: UnsentAttempt[];
  timer: NodeJS.Timeout | undefined;
}

const initialMax = 64;
const maxWaitMs = 100;

export function createOrigins(maxConnections: number): Origins {
  /** The origins that have a connection in use. */
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

  /**
   * Frees the connection in the next turn of the event loop, because only then can undici reuse it. Before that,
   * undici would open another connection.
   */
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

  // The timer is unreferenced: the connections in use keep the process alive, so the timer does not have to.
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
