import type { Client } from 'pg';
import type { Child } from './child.ts';
import { commitTimes } from './owe.ts';
import type { Arrival, Expectation, Receipts } from './receiver.ts';

interface Timed {
  database: Client;
  receiver: Child;
  /** The number of deliveries that the receiver must get. */
  expected: number;
  /** Queues the deliveries, by several commits. */
  queue(): Promise<void>;
}

/**
 * Returns the time from the commit of each event to its receipt, in milliseconds. Postgres records the commit, and the
 * receiver the moment when it has read the body, both by the clock of the machine.
 */
export async function deliveryLatencies({ database, receiver, expected, queue }: Timed): Promise<number[]> {
  const received = receiver.ask<Receipts>({ expected, isTimed: true } satisfies Expectation);
  await queue();
  await received;
  const arrivals = await receiver.ask<Arrival[]>('arrivals');
  const committed = await commitTimes(database);
  return arrivals.map(([eventId, at]) => {
    const committedAt = committed.get(eventId);
    if (committedAt === undefined) throw new Error(`The event ${eventId} was received but was never committed.`);
    return at - committedAt;
  });
}
