/**
 * One SQL statement checks each batch, with one snapshot and no locks. Rows that must agree are in the same batch.
 * See docs/decisions/money.md, "The ledger is checked in batches".
 */
import { sql } from 'kysely';
import type { Context } from '../../../context.ts';
import { dayMs, hourMs } from '../../../kit/hours.ts';
import { firstId } from '../../../kit/ids.ts';
import { rowsOf } from '../../../platform/database/statement.ts';
import { entriesAddUpToZero } from './01-entries-add-up-to-zero.ts';
import { balancesAreSumsOfEntries } from './02-balances-are-sums-of-entries.ts';
import { walletsAreNeverBelowZero } from './03-wallets-are-never-below-zero.ts';
import { openTransfersAndRefundsAreReserved } from './04-open-transfers-and-refunds-are-reserved.ts';
import { postingsMatchTransfersAndRefunds } from './05-postings-match-transfers-and-refunds.ts';
import { creditsAndRefundsMatchPayments } from './06-credits-and-refunds-match-payments.ts';
import { merchantModeAndCurrencyAgree } from './07-merchant-mode-and-currency-agree.ts';
import { nothingIsPostedTwice } from './08-nothing-is-posted-twice.ts';
import { eventsMatchTheStatus } from './09-events-match-the-status.ts';
import { entriesAreNumbered } from './10-entries-are-numbered.ts';
import { checkAccounts } from './by-account.ts';
import { checkRecords, checkUnreferenced } from './by-reference.ts';
import { type Breach, type Check, checkBatch, type Found, maxListed } from './check-batch.ts';

const invariants = [
  entriesAddUpToZero,
  balancesAreSumsOfEntries,
  walletsAreNeverBelowZero,
  openTransfersAndRefundsAreReserved,
  postingsMatchTransfersAndRefunds,
  creditsAndRefundsMatchPayments,
  merchantModeAndCurrencyAgree,
  nothingIsPostedTwice,
  eventsMatchTheStatus,
  entriesAreNumbered,
];

export interface LedgerCheck {
  accounts: number;
  transactions: number;
  entries: number;
  /** At most `maxListed` breaches of each invariant. */
  breaches: Breach[];
  /** For each invariant, the number of breaches that are not in `breaches`. */
  unlisted: { invariant: number; count: number }[];
}

export interface CheckContext extends Pick<Context, 'clock'> {
  em: Check['em'];
  config: Pick<Context['config'], 'retentionDays'>;
}

interface CheckSettings {
  /** When omitted, the ledger of all merchants is checked. */
  merchantId?: string | undefined;
  batchSize?: number;
  signal?: AbortSignal | undefined;
}

/** Choice: a batch of this size takes a few tenths of a second, so that no snapshot is held for long. */
const usualBatchSize = 5000;
/** Small merchants are checked together, so that they share a batch. */
const merchantsAtATime = 100;

export async function checkLedger(context: CheckContext, settings: CheckSettings = {}): Promise<LedgerCheck> {
  const { merchantId } = settings;
  const tally = createTally();
  tally.add(await checkGuards(context));
  const merchants = merchantId === undefined ? merchantsInTurn(context) : [[merchantId]];
  for await (const merchantIds of merchants) {
    for await (const found of checkMerchants(context, merchantIds, settings)) tally.add(found);
  }
  return tally.sum();
}

export async function* merchantsInTurn(context: Pick<CheckContext, 'em'>): AsyncGenerator<string[]> {
  for (let last = firstId; ; ) {
    const rows = await rowsOf<{ id: string }>(context)`
      select id from merchant where id > ${last} order by id limit ${merchantsAtATime}`;
    if (rows.length > 0) yield rows.map(({ id }) => id);
    if (rows.length < merchantsAtATime) return;
    last = rows.at(-1)?.id ?? last;
  }
}

/** Checks that the database has the triggers, constraints and unique indexes that protect the ledger. */
export function checkGuards(context: CheckContext): Promise<Found> {
  return checkBatch(checkOf(context), { rows: sql`nothing as (select)`, groups: ['database'] });
}

export async function* checkMerchants(
  context: CheckContext,
  merchantIds: readonly string[],
  { batchSize, signal }: CheckSettings = {},
): AsyncGenerator<Found> {
  const check = checkOf(context, batchSize);
  for (const findBreaches of [checkAccounts, checkRecords, checkUnreferenced]) {
    for await (const found of findBreaches(check, merchantIds)) {
      yield found;
      signal?.throwIfAborted();
    }
  }
}

function checkOf({ em, clock, config }: CheckContext, batchSize = usualBatchSize): Check {
  // Assumes one hour less of retention, because the clock that dates events may differ from the clock that purges them.
  const eventsKeptSince = new Date(clock.now().getTime() - config.retentionDays * dayMs + hourMs);
  return { em, invariants, batchSize, eventsKeptSince };
}

/** A breach that two statements list is counted once. An entry in another merchant's account is such a breach. */
export function createTally() {
  const counts = { accounts: 0, transactions: 0, entries: 0 };
  const totals = new Map<number, number>();
  const listed = new Map<string, Breach>();
  return {
    add({ breaches, totals: found, accounts = 0, transactions = 0, entries = 0 }: Found): void {
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
