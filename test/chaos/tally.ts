import { setTimeout as sleep } from 'node:timers/promises';
import type { Child } from '../bench/child.ts';
import { countOwed, findWritten, isAnyPending } from './delivery-rows.ts';
import type { Outcome } from './outcome.ts';
import type { Page, Receipt } from './receiver.ts';
import type { Stage } from './stage.ts';

/** What was owed held against what was received, delivery by delivery. */
export interface Tally {
  counts: Pick<Outcome, 'owed' | 'received' | 'lost' | 'duplicated' | 'retried' | 'unlogged' | 'broken'>;
  /** From the commit to the first receipt, in milliseconds. */
  latenciesMs: number[];
  /** From the first receipt to the last first one. */
  seconds: number;
}

interface Parties {
  receiver: Child;
  merchantIds: readonly string[];
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

async function look({ database }: Stage, { receiver, merchantIds }: Parties): Promise<Tally> {
  const seen = { owed: 0, received: 0, receipts: 0, retried: 0, logged: 0 };
  const latenciesMs: number[] = [];
  let [startedAtMs, endedAtMs] = [Number.POSITIVE_INFINITY, 0];
  for (let from = 0; ; from += pageSize) {
    const page = await receiver.ask<Receipt[]>({ from, size: pageSize } satisfies Page);
    if (page.length === 0) break;
    const ids = page.map(({ deliveryId }) => deliveryId);
    const written = new Map((await findWritten(database, merchantIds, ids)).map((row) => [row.id, row]));
    for (const { deliveryId, times, attempts, firstAtMs } of page) {
      const row = written.get(deliveryId);
      seen.received += 1;
      seen.receipts += times;
      seen.retried += attempts.length - 1;
      startedAtMs = Math.min(startedAtMs, firstAtMs);
      endedAtMs = Math.max(endedAtMs, firstAtMs);
      if (!row) continue;
      seen.owed += 1;
      if (row.isLogged) seen.logged += 1;
      latenciesMs.push(firstAtMs - row.createdAtMs);
    }
  }
  const owed = await countOwed(database, merchantIds);
  const unowed = seen.received - seen.owed;
  return {
    counts: {
      owed,
      received: seen.received,
      lost: owed - seen.owed,
      duplicated: seen.receipts - seen.received,
      retried: seen.retried,
      unlogged: seen.owed - seen.logged,
      broken: unowed > 0 ? [`${unowed} received that nobody owed`] : [],
    },
    latenciesMs,
    seconds: (endedAtMs - startedAtMs) / 1000,
  };
}
