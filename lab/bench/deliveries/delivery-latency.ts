import type { Client } from 'pg';
import type { Child } from '../../support/child.ts';
import { readCommits } from '../../support/queued-deliveries.ts';
import type { Arrival, Expectation, Receipts } from '../../support/receiver.ts';

interface Timed {
  database: Client;
  receiver: Child;
  expected: number;
  queue(): Promise<void>;
}

export interface Receipt {
  reference: string;
  /** The time of the commit record, which Postgres writes before it waits for the disk. */
  recordedAt: number;
  receivedAt: number;
}

export async function timeReceipts({ database, receiver, expected, queue }: Timed): Promise<Receipt[]> {
  const received = receiver.ask<Receipts>({ expected, isTimed: true } satisfies Expectation);
  await queue();
  await received;
  const arrivals = await receiver.ask<Arrival[]>('arrivals');
  const commits = await readCommits(database);
  return arrivals.map(([eventId, receivedAt]) => {
    const commit = commits.get(eventId);
    if (!commit) throw new Error(`The receiver got the event ${eventId}, which was never committed.`);
    return { receivedAt, reference: commit.reference, recordedAt: commit.at };
  });
}

export async function deliveryLatencies(timed: Timed): Promise<number[]> {
  return (await timeReceipts(timed)).map(({ recordedAt, receivedAt }) => receivedAt - recordedAt);
}
