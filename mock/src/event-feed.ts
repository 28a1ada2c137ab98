/**
 * The list of events with those that the mock has sent, so that a program that follows the events gets them. A request
 * with `wait` is held until there is one for it.
 */
import { EventEmitter, once } from 'node:events';
import type { EventOrder } from './event-order.ts';
import { pageOf } from './pages.ts';
import type { Checked } from './request-check.ts';
import type { SeededList, SeedRecord } from './seeds.ts';

export interface EventFeed {
  /** Adds the event as the newest one. The returned function sets whether it was delivered. */
  publish(order: EventOrder): (isDelivered: boolean) => void;
  /** Returns the page, for which it waits if the query asks for that. */
  waitForPage(list: SeededList, request: Checked): Promise<SeedRecord>;
}

/** Choice: the mock keeps this many sent events, so that one that runs for weeks does not grow. */
const maxSent = 1_000;

export function createEventFeed(events: SeededList | undefined): EventFeed {
  const bell = new EventEmitter().setMaxListeners(0);
  const records = events?.records ?? [];
  const seeded = records.length;
  return {
    publish({ eventId: id, body }) {
      const { event, data, timestamp } = body;
      const deliveries = { pending: 1, delivered: 0, failed: 0, skipped: 0 };
      const { reference = null } = data as { reference?: unknown };
      records.unshift({ id, event, data, timestamp, mode: 'test', reference, createdAt: timestamp, deliveries });
      if (records.length > seeded + maxSent) records.splice(maxSent, 1);
      bell.emit('event');
      return (isDelivered) =>
        Object.assign(deliveries, { pending: 0, delivered: Number(isDelivered), failed: Number(!isDelivered) });
    },
    async waitForPage(list, request) {
      const { wait } = request.query;
      if (!wait) return pageOf(list, request);
      // This timer does not keep the process of a mock that has stopped.
      const signal = AbortSignal.timeout(Number(wait) * 1000);
      for (;;) {
        const page = pageOf(list, request);
        if ((page[list.key] as unknown[]).length > 0 || signal.aborted) return page;
        await once(bell, 'event', { signal }).catch(() => undefined);
      }
    },
  };
}
