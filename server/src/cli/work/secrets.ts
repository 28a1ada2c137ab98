import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '../../context.ts';
import {
  type Batch,
  countByKey,
  listUnopened,
  maxNamed,
  reencryptBatch,
  type SealedColumn,
  type UnopenedValue,
} from '../../platform/database/reencrypt.ts';
import { inTransaction } from '../../platform/database/transaction.ts';
import { sealedColumns } from '../../start/sealed-columns.ts';
import type { Progress, Report } from '../report.ts';
import { type Reencrypted, reencryptReport } from './reencrypt-report.ts';

/**
 * Choice: rows that another transaction holds are tried again for 15 seconds. Transactions of the service are shorter,
 * and a longer one should not hold up an operator who can run the command again.
 */
const maxPasses = 30;
const pauseMs = 500;

export async function reencrypt(
  context: Context,
  { dryRun: isDryRun = false }: { dryRun?: boolean },
  progress: Progress,
): Promise<Report> {
  const { keyIds } = context.sealer;
  const unopened: UnopenedValue[] = [];
  let sealedAgain = 0;
  let brokenCount = 0;
  for (const column of isDryRun ? [] : sealedColumns) {
    const done = await reencryptColumn(context, column, progress);
    sealedAgain += done.sealed;
    brokenCount += done.brokenCount;
    unopened.push(...done.unopened);
  }
  const counts: Reencrypted['counts'][number][] = [];
  for (const column of sealedColumns) {
    const counted = await inTransaction(context, (tx) => countByKey(tx, column));
    counts.push(...counted.map((each) => ({ column, ...each })));
    unopened.push(...(await inTransaction(context, (tx) => listUnopened(tx, column))));
  }
  return reencryptReport({ isDryRun, keyIds, sealedAgain, counts, brokenCount, unopened });
}

/** Goes through the column until nothing is left that an older key sealed, or until rows stay held by others. */
async function reencryptColumn(context: Context, column: SealedColumn, progress: Progress): Promise<Pass> {
  let sealed = 0;
  for (let pass = 1; ; pass += 1) {
    const done = await goThrough(context, column, (count) =>
      progress(`${column.holds}: ${sealed + count} are sealed again`),
    );
    sealed += done.sealed;
    if (pass === maxPasses || (await countOlder(context, column)) <= done.brokenCount) return { ...done, sealed };
    await sleep(pauseMs);
  }
}

interface Pass {
  sealed: number;
  /** How many values their own key does not open. */
  brokenCount: number;
  /** Those of them that are named, `maxNamed` at most. */
  unopened: UnopenedValue[];
}

async function goThrough(context: Context, column: SealedColumn, show: (count: number) => void): Promise<Pass> {
  const pass: Pass = { sealed: 0, brokenCount: 0, unopened: [] };
  let after: string[] | null = null;
  do {
    const from: string[] | null = after;
    const batch: Batch = await inTransaction(context, (tx) => reencryptBatch(tx, column, from));
    pass.sealed += batch.sealed;
    pass.brokenCount += batch.unopened.length;
    pass.unopened.push(...batch.unopened.slice(0, maxNamed - pass.unopened.length));
    after = batch.last;
    show(pass.sealed);
  } while (after !== null);
  return pass;
}

async function countOlder(context: Context, column: SealedColumn): Promise<number> {
  const [, ...older] = context.sealer.keyIds;
  const counts = await inTransaction(context, (tx) => countByKey(tx, column));
  return counts.reduce((total, { keyId, count }) => total + (older.includes(keyId) ? count : 0), 0);
}
