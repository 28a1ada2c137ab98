/**
 * Checks the ten invariants of money against the rows in the database, part by part. Each part is one SQL statement: it
 * sees one snapshot while the service goes on working, and it locks nothing. A part has at most some thousand rows, so
 * that no snapshot is held for long. What belongs together is in one part.
 * See docs/decisions/money.md, "The ledger is checked in parts".
 */
import { sql } from 'kysely';
import { firstId } from '../../kit/ids.ts';
import { rowsOf } from '../../platform/database/statement.ts';
import { checkAccounts } from './account-part.ts';
import { type Breach, type CheckContext, checkPart, type FoundBreaches, maxListed } from './check-part.ts';
import { guardFacts } from './guard-facts.ts';
import { checkRecords, checkUnreferenced } from './record-part.ts';

export type { Breach, CheckContext };

export interface LedgerCheck {
  accounts: number;
  transactions: number;
  entries: number;
  /** Ordered by invariant; at most `maxListed` of each. */
  breaches: Breach[];
  /** How many more breaches each invariant has that are not in `breaches`. */
  unlisted: { invariant: number; count: number }[];
}

interface CheckSettings {
  /** Without it, the books of all merchants are checked. */
  merchantId?: string | undefined;
  /** How many rows of a table a part has. A test makes parts small. */
  partSize?: number;
  /** Ends the check before the next part. */
  signal?: AbortSignal | undefined;
}

/** Choice: a part then takes some tenths of a second. */
const usualPartSize = 5000;
/** Small merchants share a part. */
const merchantsAtATime = 100;

/** Checks the ledger of all merchants, or of one. */
export async function checkLedger(context: CheckContext, settings: CheckSettings = {}): Promise<LedgerCheck> {
  const { merchantId } = settings;
  const tally = createTally();
  tally.add(await checkGuards(context));
  const merchants = merchantId === undefined ? merchantsInTurn(context) : [[merchantId]];
  for await (const merchantIds of merchants) {
    for await (const part of checkMerchants(context, merchantIds, settings)) tally.add(part);
  }
  return tally.sum();
}

/** The ids of all merchants, some at a time. */
export async function* merchantsInTurn(context: Pick<CheckContext, 'em'>): AsyncGenerator<string[]> {
  for (let last = firstId; ; ) {
    const rows = await rowsOf<{ id: string }>(context)`
      select id from merchant where id > ${last} order by id limit ${merchantsAtATime}`;
    if (rows.length > 0) yield rows.map(({ id }) => id);
    if (rows.length < merchantsAtATime) return;
    last = rows.at(-1)?.id ?? last;
  }
}

/** What one statement found, and how much it read. */
type PartFound = FoundBreaches & Partial<Pick<LedgerCheck, 'accounts' | 'transactions' | 'entries'>>;

/** Checks that the database still refuses what it must. */
export function checkGuards(context: CheckContext): Promise<PartFound> {
  return checkPart(context, { rows: sql`nothing as (select)`, facts: guardFacts }, sql`select 0 as nothing`);
}

/** Checks the books of these merchants, and yields what each statement found. */
export async function* checkMerchants(
  context: CheckContext,
  merchantIds: readonly string[],
  { partSize = usualPartSize, signal }: CheckSettings = {},
): AsyncGenerator<PartFound> {
  for (const check of [checkAccounts, checkRecords, checkUnreferenced]) {
    for await (const part of check(context, merchantIds, partSize)) {
      yield part;
      signal?.throwIfAborted();
    }
  }
}

/**
 * Adds up what the statements found. A row that two of them list is counted once. Two statements find the same row only
 * when a currency does not add up, or when an entry of one merchant is in the account of another: that one breaks the
 * books of both, and counts for each when it is not listed.
 */
export function createTally() {
  const counts = { accounts: 0, transactions: 0, entries: 0 };
  const totals = new Map<number, number>();
  const listed = new Map<string, Breach>();
  return {
    add({ breaches, totals: found, accounts = 0, transactions = 0, entries = 0 }: PartFound): void {
      counts.accounts += accounts;
      counts.transactions += transactions;
      counts.entries += entries;
      for (const [invariant, count] of found) totals.set(invariant, (totals.get(invariant) ?? 0) + count);
      for (const breach of breaches) {
        const { invariant, says, table, id } = breach;
        const key = [invariant, says, table, id].join(' ');
        if (listed.has(key)) totals.set(invariant, (totals.get(invariant) ?? 0) - 1);
        else listed.set(key, breach);
      }
    },
    sum(): LedgerCheck {
      const ordered = [...totals].filter(([, count]) => count > 0).sort(([one], [other]) => one - other);
      const breaches = ordered.flatMap(([invariant]) =>
        [...listed.values()].filter((breach) => breach.invariant === invariant).slice(0, maxListed),
      );
      const unlisted = ordered.flatMap(([invariant, count]) =>
        count > maxListed ? [{ invariant, count: count - maxListed }] : [],
      );
      return { ...counts, breaches, unlisted };
    },
  };
}
