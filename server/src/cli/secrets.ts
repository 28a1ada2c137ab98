import { setTimeout as sleep } from 'node:timers/promises';
import type { Command } from 'commander';
import type { Context } from '../context.ts';
import type { Batch, KeyCount, SealedColumn, UnopenedValue } from '../platform/database/reencrypt.ts';
import { dryRunOption, example } from './arguments.ts';
import type { Actions } from './perform.ts';
import type { Progress, Report } from './report.ts';

export function addSecretCommands(program: Command, { inSteps }: Actions): void {
  const secrets = program
    .command('secrets')
    .description('what the service stores encrypted')
    .addHelpText('after', example('tillhook secrets reencrypt --dry-run'));
  secrets
    .command('reencrypt')
    .description(
      'seal every stored secret with the first of MASTER_KEYS, while the service runs. First give every process the ' +
        'new key as the second one, then as the first one; run this; then take the old key away. It can be stopped ' +
        'and run again. Exits with 1 when the key of a secret is missing',
    )
    .addOption(dryRunOption('count the secrets by key, and change nothing'))
    .addHelpText('after', example('tillhook secrets reencrypt --dry-run'))
    .action(inSteps(reencrypt, { seals: true, takesLong: true }));
}

const services = async () => ({
  ...(await import('../platform/database/reencrypt.ts')),
  ...(await import('../platform/database/transaction.ts')),
  ...(await import('../start/sealed-columns.ts')),
});

/**
 * Choice: rows that another transaction has locked are retried for 15 seconds. Transactions of the service are shorter,
 * and an operator can run the command again.
 */
const maxPasses = 30;
const pauseMs = 500;

async function reencrypt(
  context: Context,
  { dryRun: isDryRun = false }: { dryRun?: boolean },
  progress: Progress,
): Promise<Report> {
  const { countByKey, inTransaction, listUnopened, sealedColumns } = await services();
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
  brokenCount: number;
  unopened: UnopenedValue[];
}

async function goThrough(context: Context, column: SealedColumn, show: (count: number) => void): Promise<Pass> {
  const { inTransaction, maxNamed, reencryptBatch } = await services();
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
  const { countByKey, inTransaction } = await services();
  const [, ...older] = context.sealer.keyIds;
  const counts = await inTransaction(context, (tx) => countByKey(tx, column));
  return counts.reduce((total, { keyId, count }) => total + (older.includes(keyId) ? count : 0), 0);
}

interface Reencrypted {
  isDryRun: boolean;
  /** The first of these master keys encrypts. */
  keyIds: readonly string[];
  sealedAgain: number;
  counts: readonly ({ column: SealedColumn } & KeyCount)[];
  brokenCount: number;
  unopened: readonly UnopenedValue[];
}

function reencryptReport({ isDryRun, keyIds, sealedAgain, counts, brokenCount, unopened }: Reencrypted): Report {
  const [keyId = ''] = keyIds;
  const left = countOf(counts, (id) => id !== keyId);
  const missingKeys = [...new Set(counts.map((each) => each.keyId))].filter((id) => !keyIds.includes(id));
  const stuck = countOf(counts, (id) => missingKeys.includes(id)) + brokenCount;
  const columns = counts.map(({ column: { table, column, path = [] }, ...count }) => ({
    table,
    column: [column, ...path].join('.'),
    ...count,
  }));
  const note = [
    isDryRun ? `Nothing was changed. ${dryRunNote({ left, keyId })}` : runNote({ sealedAgain, left, stuck, keyId }),
    ...missingKeys.map((id) => `The key ${id} is missing: add it to MASTER_KEYS as ${id}:…, after the first one.`),
    ...unopened.map(
      ({ table, column, row, ...each }) => `Not opened: ${table}.${column} of ${row}, sealed with ${each.keyId}`,
    ),
    ...(stuck > unopened.length ? [`Only ${unopened.length} of ${stuck} are named.`] : []),
    ...(brokenCount > 0 ? [brokenNote] : []),
  ].join('\n');
  return {
    record: { dryRun: isDryRun, keyId, sealedAgain, left, columns, missingKeys, brokenCount, unopened },
    ...(counts.length > 0 && { answer: { headings, rows: rowsOf({ counts, keyIds, isDryRun }) } }),
    note,
    failed: isDryRun ? missingKeys.length > 0 : left > 0,
  };
}

function dryRunNote({ left, keyId }: Pick<RunResult, 'left' | 'keyId'>): string {
  return left === 0
    ? `All secrets are sealed with the key ${keyId}.`
    : `${secretsAre(left)} not sealed with the key ${keyId}.`;
}

const headings = ['WHAT', 'TABLE', 'KEY', 'COUNT', 'STATE'];

function rowsOf({ counts, keyIds, isDryRun }: Pick<Reencrypted, 'counts' | 'keyIds' | 'isDryRun'>): string[][] {
  const stateOf = (id: string) => {
    if (id === keyIds[0]) return 'sealed with the first key';
    if (!keyIds.includes(id)) return 'the key is missing';
    return isDryRun ? 'would be sealed again' : 'not sealed again';
  };
  return counts.map(({ column: { holds, table }, keyId, count }) => [
    holds,
    table,
    keyId,
    String(count),
    stateOf(keyId),
  ]);
}

const brokenNote =
  'A value that its own key does not open was changed, or copied from another row. No run of this command mends it: ' +
  'restore it from a backup, or have its owner make a new one.';

interface RunResult {
  sealedAgain: number;
  left: number;
  /** The number of values left that no further run can encrypt again: their key is missing or wrong. */
  stuck: number;
  keyId: string;
}

function runNote({ sealedAgain, left, stuck, keyId }: RunResult): string {
  const text = `${sealedAgain} ${sealedAgain === 1 ? 'secret was' : 'secrets were'} sealed again with the key ${keyId}.`;
  if (left === 0) return `${text} No other key is needed any more.`;
  const note = `${text} ${secretsAre(left)} not sealed with it.`;
  return left > stuck
    ? `${note} A transaction held a row, or a process still seals with another first key: run it again.`
    : note;
}

function countOf(counts: Reencrypted['counts'], isWanted: (keyId: string) => boolean): number {
  return counts.reduce((total, { keyId, count }) => total + (isWanted(keyId) ? count : 0), 0);
}

const secretsAre = (count: number) => (count === 1 ? '1 secret is' : `${count} secrets are`);
