import type { Claimed } from '../../wire/claimed.ts';

/**
 * Deliveries that this process has leased, by their ids. A process may lease one of them again: when the clock of Postgres
 * jumps, or when a result waits for longer than the lease because the database is away.
 */
export interface LeasedDeliveries {
  add(delivery: Claimed): void;
  /**
   * Gives a known delivery the lease under which it came again, and returns whether it is known. A delivery that was
   * leased for its next attempt is another one: its last attempt is recorded already.
   */
  renew(leasedAgain: Claimed): boolean;
  remove(delivery: Claimed): Claimed;
}

export function createLeasedDeliveries(): LeasedDeliveries {
  const byId = new Map<string, Claimed>();
  return {
    add(delivery) {
      byId.set(delivery.id, delivery);
    },
    renew({ id, lease, attemptCount }) {
      const known = byId.get(id);
      if (!known || known.attemptCount !== attemptCount) return false;
      known.lease = lease;
      return true;
    },
    remove(delivery) {
      if (byId.get(delivery.id) === delivery) byId.delete(delivery.id);
      return delivery;
    },
  };
}
