import type { KeyCount, SealedColumn, UnopenedValue } from '../../platform/database/reencrypt.ts';
import type { Report } from '../report.ts';

export interface Reencrypted {
  isDryRun: boolean;
  /** The configured master keys. The first one seals. */
  keyIds: readonly string[];
  sealedAgain: number;
  /** What each column holds afterwards, by master key. */
  counts: readonly ({ column: SealedColumn } & KeyCount)[];
  /** How many values their own key does not open. */
  brokenCount: number;
  /** The first of the values that stay as they are, because their key is missing or does not open them. */
  unopened: readonly UnopenedValue[];
}

export function reencryptReport({ isDryRun, keyIds, sealedAgain, counts, brokenCount, unopened }: Reencrypted): Report {
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
    isDryRun ? `Nothing was changed. ${counted({ left, keyId })}` : done({ sealedAgain, left, stuck, keyId }),
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

function counted({ left, keyId }: Pick<Done, 'left' | 'keyId'>): string {
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

interface Done {
  sealedAgain: number;
  left: number;
  /** How many of those that are left stay so, however often the command runs. */
  stuck: number;
  keyId: string;
}

function done({ sealedAgain, left, stuck, keyId }: Done): string {
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
