import type { KeyCount, SealedColumn, UnopenedValue } from '../../database/reencrypt.ts';
import type { Report } from '../report.ts';

export interface Reencrypted {
  isDryRun: boolean;
  /** The configured master keys. The first one seals. */
  keyIds: readonly string[];
  sealedAgain: number;
  /** What each column holds afterwards, by master key. */
  counts: readonly ({ column: SealedColumn } & KeyCount)[];
  unopened: readonly UnopenedValue[];
}

export function reencryptReport({ isDryRun, keyIds, sealedAgain, counts, unopened }: Reencrypted): Report {
  const [keyId = ''] = keyIds;
  const left = counts.reduce((total, each) => total + (each.keyId === keyId ? 0 : each.count), 0);
  const missingKeys = [...new Set(counts.map((each) => each.keyId))].filter((id) => !keyIds.includes(id));
  const columns = counts.map(({ column: { table, column, path = [] }, ...count }) => ({
    table,
    column: [column, ...path].join('.'),
    ...count,
  }));
  const note = [
    isDryRun
      ? `Nothing was changed. ${secretsAre(left)} not sealed with the key ${keyId}.`
      : done(sealedAgain, left, keyId),
    ...missingKeys.map((id) => `The key ${id} is missing: add it to MASTER_KEYS as ${id}:…, after the first one.`),
    ...unopened.map(
      ({ table, column, row, ...each }) => `Not opened: ${table}.${column} of ${row}, sealed with ${each.keyId}`,
    ),
  ].join('\n');
  return {
    record: { dryRun: isDryRun, keyId, sealedAgain, left, columns, missingKeys, unopened },
    ...(counts.length > 0 && { answer: { headings, rows: rowsOf({ counts, keyIds, isDryRun }) } }),
    note,
    failed: isDryRun ? missingKeys.length > 0 : left > 0,
  };
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

function done(sealedAgain: number, left: number, keyId: string): string {
  const text = `${sealedAgain} ${sealedAgain === 1 ? 'secret was' : 'secrets were'} sealed again with the key ${keyId}.`;
  return left === 0
    ? `${text} No other key is needed any more.`
    : `${text} ${secretsAre(left)} not sealed with it. If no key is missing, a process still seals with another first key: run it again.`;
}

const secretsAre = (count: number) => (count === 1 ? '1 secret is' : `${count} secrets are`);
