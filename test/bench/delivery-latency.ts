import type { Client } from 'pg';
import type { Child } from './child.ts';
import { commitTimes } from './owe.ts';
import type { Arrival, Expectation, Receipts } from './receiver.ts';

interface Timed {
  database: Client;
  receiver: Child;
  /** How many are to be received. */
  expected: number;
  /** Makes them owed, by commits of their own. */
  owe(): Promise<void>;
}

/**
 * From the commit of each event to its receipt, in milliseconds. Postgres says when it committed and the receiver when it had
 * read the body, both by the clock of the machine.
 */
export async function deliveryLatencies({ database, receiver, expected, owe }: Timed): Promise<number[]> {
  const received = receiver.ask<Receipts>({ expected, isTimed: true } satisfies Expectation);
  await owe();
  await received;
  const arrivals = await receiver.ask<Arrival[]>('arrivals');
  const committed = await commitTimes(database);
  return arrivals.map(([eventId, at]) => {
    const committedAt = committed.get(eventId);
    if (committedAt === undefined) throw new Error(`The event ${eventId} was received, and nobody committed it.`);
    return at - committedAt;
  });
}
