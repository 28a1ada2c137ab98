import { setTimeout as sleep } from 'node:timers/promises';
import type { Child } from '../support/child.ts';
import { type ClaimedAtFaults, createClaimRecord } from './claims.ts';
import { findEvents, findWritten, isAnyPending, type Written } from './delivery-rows.ts';
import type { Outcome } from './outcome.ts';
import type { ProducerRecord } from './producer.ts';
import type { Page, Receipt } from './receiver.ts';
import type { Stage } from './stage.ts';

/**
 * Compares the commits of the producers with the arrivals at the receiver and with the recorded attempts.
 * See docs/decisions/tests.md, "Chaos compares what arrived with what was committed".
 */
export interface Tally {
  counts: Pick<
    Outcome,
    'expected' | 'received' | 'lost' | 'duplicated' | 'duplicates' | 'retried' | 'unlogged' | 'broken'
  >;
  latenciesMs: number[];
  arrivals: { atMs: number; latencyMs: number }[];
  /** The time between the first receipts of the first and of the last delivery. */
  seconds: number;
}

interface Parties {
  receiver: Child;
  producers: readonly ProducerRecord[];
  claimed?: ClaimedAtFaults;
  /** Received deliveries that the database lost, because it was restored to an earlier time. */
  forgotten?: ReadonlySet<string>;
}

const pageSize = 10_000;
const pollMs = 20;
const secondLookMs = 2000;

/** Deliveries that are still pending after `patienceMs` count as lost. */
export async function waitUntilDelivered(
  { database }: Stage,
  merchantIds: readonly string[],
  { queuedBefore = new Date(8.64e15), patienceMs = 60_000 } = {},
): Promise<number> {
  const startedAt = performance.now();
  const elapsedMs = () => performance.now() - startedAt;
  const isPending = () => isAnyPending(database, merchantIds, queuedBefore).catch(() => true);
  while (elapsedMs() < patienceMs && (await isPending())) await sleep(pollMs);
  return elapsedMs() / 1000;
}

export async function findForgotten(
  { database }: Stage,
  receiver: Child,
  merchantIds: readonly string[],
): Promise<Set<string>> {
  const forgotten = new Set<string>();
  for (let from = 0; ; from += pageSize) {
    const page = await receiver.ask<Receipt[]>({ from, size: pageSize } satisfies Page);
    if (page.length === 0) return forgotten;
    const ids = page.map(({ deliveryId }) => deliveryId);
    const written = new Set((await findWritten(database, merchantIds, ids)).map(({ id }) => id));
    for (const id of ids) if (!written.has(id)) forgotten.add(id);
  }
}

/** If the comparison shows a fault, compares again later, because late deliveries and records are not faults. */
export async function tally(stage: Stage, parties: Parties): Promise<Tally> {
  const first = await look(stage, parties);
  const { lost, unlogged, broken } = first.counts;
  if (lost + unlogged + broken.length === 0) return first;
  await sleep(secondLookMs);
  return look(stage, parties);
}

async function look(
  { database }: Stage,
  { receiver, producers, claimed = createClaimRecord(), forgotten = new Set() }: Parties,
): Promise<Tally> {
  const merchantIds = producers.map(({ merchantId }) => merchantId);
  const seen = newCount();
  for (let from = 0; ; from += pageSize) {
    const page = await receiver.ask<Receipt[]>({ from, size: pageSize } satisfies Page);
    if (page.length === 0) break;
    const ids = page.map(({ deliveryId }) => deliveryId);
    const written = new Map((await findWritten(database, merchantIds, ids)).map((row) => [row.id, row]));
    for (const receipt of page) {
      if (forgotten.has(receipt.deliveryId)) continue;
      count(seen, receipt, { row: written.get(receipt.deliveryId), claimed });
    }
  }
  const expected = (await Promise.all(producers.map((producer) => expectedOf(database, producer)))).flat();
  const { references, repeats, retried, unlogged, unexpected, unexplained, arrivals } = seen;
  return {
    counts: {
      expected: expected.length,
      received: references.size,
      lost: expected.filter((reference) => !references.has(reference)).length,
      duplicated: repeats,
      duplicates: claimed.bound(),
      retried,
      unlogged,
      broken: [
        ...(unexpected > 0 ? [`${unexpected} received deliveries that the database does not hold`] : []),
        ...(unexplained > 0 ? [`${unexplained} duplicates of deliveries that were not claimed at any fault`] : []),
      ],
    },
    latenciesMs: arrivals.map(({ latencyMs }) => latencyMs),
    arrivals,
    seconds: (seen.endedAtMs - seen.startedAtMs) / 1000,
  };
}

type Count = ReturnType<typeof newCount>;

const newCount = () => ({
  references: new Set<string>(),
  repeats: 0,
  retried: 0,
  unlogged: 0,
  unexpected: 0,
  unexplained: 0,
  arrivals: [] as Tally['arrivals'],
  startedAtMs: Number.POSITIVE_INFINITY,
  endedAtMs: 0,
});

interface Evidence {
  row: Written | undefined;
  claimed: ClaimedAtFaults;
}

function count(seen: Count, receipt: Receipt, { row, claimed }: Evidence): void {
  const { deliveryId, reference, firstAtMs } = receipt;
  const { repeats, retried } = countRepeats(receipt, row);
  seen.repeats += repeats;
  seen.retried += retried;
  seen.unexplained += Math.max(0, repeats - claimed.timesOf(deliveryId));
  if (!row) seen.unexpected += 1;
  if (firstAtMs === null) return;
  seen.references.add(reference);
  seen.startedAtMs = Math.min(seen.startedAtMs, firstAtMs);
  seen.endedAtMs = Math.max(seen.endedAtMs, firstAtMs);
  if (!row) return;
  if (!row.isLogged) seen.unlogged += 1;
  seen.arrivals.push({ atMs: firstAtMs, latencyMs: firstAtMs - row.createdAtMs });
}

async function expectedOf(
  database: Stage['database'],
  { merchantId, committed, inDoubt }: ProducerRecord,
): Promise<string[]> {
  return [...committed, ...(await findEvents(database, merchantId, inDoubt))];
}

/** Counts every arrival except the first arrival of attempt 1 and of each attempt after a recorded failure. */
function countRepeats({ attempts }: Receipt, row: Written | undefined): { repeats: number; retried: number } {
  const distinct = [...new Set(attempts)].map(Number);
  const retried = distinct.filter((attempt) => row?.failedAttempts.includes(attempt - 1)).length;
  const first = distinct.includes(1) ? 1 : 0;
  return { repeats: attempts.length - first - retried, retried };
}
