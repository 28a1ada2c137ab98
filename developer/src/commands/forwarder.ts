/** Sends each event at most four times, so that a slow or stopped receiver cannot block the forwarder for ever. */
import { EventEmitter, once } from 'node:events';
import type { Event } from '@tillhook/sdk';
import { type Attempt, sendEvent } from '../sending/event-sender.ts';
import { orderOf, type Target } from './forwarding.ts';

export interface Forwarder {
  /** Resolves when the forwarder can take the next event. */
  take(event: Event): Promise<void>;
  ended(): Promise<void>;
  counts: Counts;
  /** The id of the event before the oldest unfinished event: a later run with this id in `--since` misses no event. */
  lastEnded(): string | undefined;
}

export interface Counts {
  received: number;
  forwarded: number;
  failed: number;
}

interface Options {
  target: Target;
  /** The id of the last event before this run; undefined when this run starts at the beginning of the feed. */
  after: string | undefined;
  signal: AbortSignal;
  report(event: Event, attempt: Attempt, retryInMs: number | null): void;
}

/** Choice: ten concurrent requests, because a developer's receiver handles ten easily. */
const atOnce = 10;
/** Choice: 500 events in progress (a few megabytes), so that a page of events does not wait for one slow response. */
const maxWaiting = 500;

export function createForwarder({ target, after, signal, report }: Options): Forwarder {
  const inTurn = limitTo(atOnce);
  // Maps the id of each event in progress to the id of the previous event, in the order of the events.
  const waiting = new Map<string, string | undefined>();
  const room = new EventEmitter();
  const counts: Counts = { received: 0, forwarded: 0, failed: 0 };
  let last = after;

  async function send(event: Event): Promise<void> {
    const onAttempt = (attempt: Attempt, retryInMs: number | null) => report(event, attempt, retryInMs);
    const { delivered } = await sendEvent(orderOf(event, target), { onAttempt, signal, inTurn });
    if (signal.aborted && !delivered) return;
    counts[delivered ? 'forwarded' : 'failed'] += 1;
    waiting.delete(event.id);
    room.emit('room');
  }

  return {
    counts,
    async take(event) {
      counts.received += 1;
      waiting.set(event.id, last);
      last = event.id;
      void send(event);
      while (waiting.size >= maxWaiting && !signal.aborted) await once(room, 'room', { signal }).catch(() => undefined);
    },
    async ended() {
      while (waiting.size > 0 && !signal.aborted) await once(room, 'room', { signal }).catch(() => undefined);
    },
    lastEnded() {
      const [first] = waiting.entries();
      return first ? first[1] : last;
    },
  };
}

function limitTo(max: number): <Result>(work: () => Promise<Result>) => Promise<Result> {
  const queue: (() => void)[] = [];
  let running = 0;
  return async (work) => {
    if (running >= max) await new Promise<void>((begin) => queue.push(begin));
    else running += 1;
    try {
      return await work();
    } finally {
      const next = queue.shift();
      if (next) next();
      else running -= 1;
    }
  };
}
