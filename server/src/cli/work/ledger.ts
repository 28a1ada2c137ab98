import type { Context } from '../../context.ts';
import { checkLedger, type LedgerCheck } from '../../money/wallets/check/ledger-check.service.ts';
import { getMerchant } from '../../people/merchants/merchants.service.ts';
import { inOwnStatement } from '../../platform/database/statement.ts';
import type { Report } from '../report.ts';
import type { Table } from '../table.ts';

const headings = ['INVARIANT', 'WHAT SHOULD BE TRUE', 'TABLE', 'ID', 'EXPECTED', 'FOUND'];

/** Each batch of the check is one statement, and no transaction holds its snapshot or its locks until the next. */
export async function check(context: Context, { merchant }: { merchant?: string }): Promise<Report> {
  if (merchant !== undefined) await getMerchant(context, merchant);
  const checked = await inOwnStatement(context, (own) => checkLedger(own, { merchantId: merchant }));
  if (checked.breaches.length === 0) return { record: checked, answer: `The books are right: ${countsOf(checked)}.` };
  return { record: checked, answer: breachTable(checked), note: summary(checked), failed: true };
}

function breachTable({ breaches }: LedgerCheck): Table {
  const rows = breaches.map(({ invariant, says, table: of, id, expected, found }) => [
    String(invariant),
    says,
    of,
    id,
    expected,
    found,
  ]);
  return { headings, rows };
}

function summary(checked: LedgerCheck): string {
  const more = checked.unlisted.map(
    ({ invariant, count }) => `Of invariant ${invariant}, ${count} more are not listed.`,
  );
  return [`The books are wrong: ${countsOf(checked)}.`, ...more].join('\n');
}

function countsOf({ accounts, transactions, entries }: LedgerCheck): string {
  const counts = [
    counted(accounts, 'account', 'accounts'),
    counted(transactions, 'transaction', 'transactions'),
    counted(entries, 'entry', 'entries'),
  ];
  return `${counts.slice(0, -1).join(', ')} and ${counts.at(-1)} were checked`;
}

const counted = (count: number, one: string, several: string) => `${count} ${count === 1 ? one : several}`;
