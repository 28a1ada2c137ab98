import type { Recorded } from './recording-server.ts';

/** A received webhook, and the result of its verification. */
export interface Delivery extends Recorded {
  /** The result of the verification; `unverified` while the receiver has no secret. */
  verification: 'verified' | 'refused' | 'unverified';
  /** The reason why the webhook was rejected; omitted for an accepted webhook. */
  problem?: string;
}

/** The number of deliveries to wait for, or a condition that a delivery must meet. */
export type Wanted = number | ((delivery: Delivery) => boolean);

export interface DeliveryLog {
  deliveries: readonly Delivery[];
  /** Adds a delivery, and returns its index in `deliveries`. */
  add(delivery: Delivery): number;
  waitFor(wanted: Wanted, timeoutMs: number): Promise<Delivery[]>;
  end(): void;
}

interface Waiter {
  check(): void;
  giveUp(when: string): void;
}

export function createDeliveryLog(): DeliveryLog {
  const deliveries: Delivery[] = [];
  const waiters = new Set<Waiter>();
  return {
    deliveries,
    add(delivery) {
      const index = deliveries.push(delivery) - 1;
      for (const waiter of waiters) waiter.check();
      return index;
    },
    waitFor(wanted, timeoutMs) {
      let waiter: Waiter;
      let timer: NodeJS.Timeout;
      const found = new Promise<Delivery[]>((resolve, reject) => {
        waiter = {
          check() {
            const all = find(deliveries, wanted);
            if (all) resolve(all);
          },
          giveUp: (when) => reject(new Error(timeoutMessage(deliveries, wanted, when))),
        };
        timer = setTimeout(() => waiter.giveUp(`within ${timeoutMs} ms`), timeoutMs);
        waiters.add(waiter);
        waiter.check();
      });
      return found.finally(() => {
        clearTimeout(timer);
        waiters.delete(waiter);
      });
    },
    end() {
      for (const waiter of waiters) waiter.giveUp('before the receiver stopped');
    },
  };
}

function find(deliveries: Delivery[], wanted: Wanted): Delivery[] | null {
  if (typeof wanted === 'number') return deliveries.length >= wanted ? [...deliveries] : null;
  const found = deliveries.filter(wanted);
  return found.length > 0 ? found : null;
}

function timeoutMessage(deliveries: Delivery[], wanted: Wanted, when: string): string {
  const goal = typeof wanted === 'number' ? `${wanted} deliveries` : 'the expected delivery';
  const events = deliveries.map(({ headers }) => headers['x-service-event'] ?? 'a delivery without X-Service-Event');
  return `The receiver did not get ${goal} ${when}. It got ${events.join(', ') || 'nothing'}.`;
}
