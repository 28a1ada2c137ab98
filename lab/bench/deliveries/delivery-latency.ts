import type { Client } from 'pg';
import type { Child } from '../../support/child.ts';
import { readCommits } from '../../support/queued-deliveries.ts';
import type { Arrival, Expectation, Receipts } from '../../support/receiver.ts';

interface Timed {
  database: Client;
  receiver: Child;
  /** The number of deliveries that the receiver must get. */
  expected: number;
  /** Queues the deliveries, by several commits. */
  queue(): Promise<void>;
}

/** All times are in milliseconds since 1970, by the clock of the machine. */
export interface Receipt {
  reference: string;
  /** The time in the record of the commit, which Postgres writes to its log before it waits for the disk. */
  recordedAt: number;
  /** When the receiver had read the body. */
  receivedAt: number;
}

/** Returns the receipt of each delivery. */
export async function timeReceipts({ database, receiver, expected, queue }: Timed): Promise<Receipt[]> {
  const received = receiver.ask<Receipts>({ expected, isTimed: true } satisfies Expectation);
  await queue();
  await received;
  const arrivals = await receiver.ask<Arrival[]>('arrivals');
  const commits = await readCommits(database);
  return arrivals.map(([eventId, receivedAt]) => {
    const commit = commits.get(eventId);
    if (!commit) throw new Error(`The event ${eventId} was received but was never committed.`);
    return { receivedAt, reference: commit.reference, recordedAt: commit.at };
  });
}

/** Returns the time from the record of each event's commit to its receipt, in milliseconds. */
export async function deliveryLatencies(timed: Timed): Promise<number[]> {
  return (await timeReceipts(timed)).map(({ recordedAt, receivedAt }) => receivedAt - recordedAt);
}
