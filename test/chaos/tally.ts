import { setTimeout as sleep } from 'node:timers/promises';
import type { Child } from '../bench/child.ts';
import { type ClaimedAtFaults, noClaims } from './claims.ts';
import { findEvents, findWritten, isAnyPending, type Written } from './delivery-rows.ts';
import type { Outcome } from './outcome.ts';
import type { Told } from './producer.ts';
import type { Page, Receipt } from './receiver.ts';
import type { Stage } from './stage.ts';

/**
 * What the producers were told held against what was received and what is on record, delivery by delivery.
 * See docs/decisions/tests.md, "Chaos compares what arrived with what was committed".
 */
export interface Tally {
  counts: Pick<Outcome, 'owed' | 'received' | 'lost' | 'duplicated' | 'duplicates' | 'retried' | 'unlogged' | 'broken'>;
  /** From the commit to the first receipt, in milliseconds. */
  latenciesMs: number[];
  /** From the first receipt to the last first one. */
  seconds: number;
}

interface Parties {
  receiver: Child;
  producers: readonly Told[];
  /** Omitted where no process that sends was killed. */
  claimed?: ClaimedAtFaults;
}

const pageSize = 10_000;
const pollMs = 20;
const secondLookMs = 2000;

/**
 * Waits until nothing is pending that was owed before the moment, and returns how many seconds it took. After the patience
 * it returns all the same: what is still pending then will be found lost.
 */
export async function untilDelivered(
  { database }: Stage,
  merchantIds: readonly string[],
  { owedBefore = new Date(8.64e15), patienceMs = 60_000 } = {},
): Promise<number> {
  const startedAt = performance.now();
  const elapsedMs = () => performance.now() - startedAt;
  const isPending = () => isAnyPending(database, merchantIds, owedBefore).catch(() => true);
  while (elapsedMs() < patienceMs && (await isPending())) await sleep(pollMs);
  return elapsedMs() / 1000;
}

/** Looks twice where something is amiss: only what stays so counts, not what was on its way. */
export async function tally(stage: Stage, parties: Parties): Promise<Tally> {
  const first = await look(stage, parties);
  const { lost, unlogged, broken } = first.counts;
  if (lost + unlogged + broken.length === 0) return first;
  await sleep(secondLookMs);
  return look(stage, parties);
}

async function look({ database }: Stage, { receiver, producers, claimed = noClaims() }: Parties): Promise<Tally> {
  const merchantIds = producers.map(({ merchantId }) => merchantId);
  const seen = newCount();
  for (let from = 0; ; from += pageSize) {
    const page = await receiver.ask<Receipt[]>({ from, size: pageSize } satisfies Page);
    if (page.length === 0) break;
    const ids = page.map(({ deliveryId }) => deliveryId);
    const written = new Map((await findWritten(database, merchantIds, ids)).map((row) => [row.id, row]));
    for (const receipt of page) count(seen, receipt, { row: written.get(receipt.deliveryId), claimed });
  }
  const owed = (await Promise.all(producers.map((producer) => owedOf(database, producer)))).flat();
  const { references, repeats, retried, unlogged, unowed, unexplained, latenciesMs } = seen;
  return {
    counts: {
      owed: owed.length,
      received: references.size,
      lost: owed.filter((reference) => !references.has(reference)).length,
      duplicated: repeats,
      duplicates: claimed.bound(),
      retried,
      unlogged,
      broken: [
        ...(unowed > 0 ? [`${unowed} received that nobody owed`] : []),
        ...(unexplained > 0 ? [`${unexplained} duplicates of deliveries that no fault found claimed`] : []),
      ],
    },
    latenciesMs,
    seconds: (seen.endedAtMs - seen.startedAtMs) / 1000,
  };
}

type Count = ReturnType<typeof newCount>;

const newCount = () => ({
  /** Of the events that were received. */
  references: new Set<string>(),
  repeats: 0,
  retried: 0,
  unlogged: 0,
  unowed: 0,
  unexplained: 0,
  latenciesMs: [] as number[],
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
  if (!row) seen.unowed += 1;
  if (firstAtMs === null) return;
  seen.references.add(reference);
  seen.startedAtMs = Math.min(seen.startedAtMs, firstAtMs);
  seen.endedAtMs = Math.max(seen.endedAtMs, firstAtMs);
  if (!row) return;
  if (!row.isLogged) seen.unlogged += 1;
  seen.latenciesMs.push(firstAtMs - row.createdAtMs);
}

/** What was answered was committed. What got no answer is owed when the database holds it. */
async function owedOf(database: Stage['database'], { merchantId, committed, inDoubt }: Told): Promise<string[]> {
  return [...committed, ...(await findEvents(database, merchantId, inDoubt))];
}

/** Every arrival after the first is a repeat, except the first arrival of an attempt whose predecessor is on record as failed. */
function countRepeats({ attempts }: Receipt, row: Written | undefined): { repeats: number; retried: number } {
  const distinct = [...new Set(attempts)].map(Number);
  const retried = distinct.filter((attempt) => row?.failedAttempts.includes(attempt - 1)).length;
  const first = distinct.includes(1) ? 1 : 0;
  return { repeats: attempts.length - first - retried, retried };
}
