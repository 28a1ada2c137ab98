import type { Command } from 'commander';
import type { Context } from '../context.ts';
import type { LedgerCheck } from '../money/wallets/check/check-ledger.service.ts';
import { example, merchantOption } from './arguments.ts';
import type { Actions } from './perform.ts';
import type { Report } from './report.ts';
import type { Table } from './table.ts';

export function addLedgerCommands(program: Command, { inSteps }: Actions): void {
  const ledger = program
    .command('ledger')
    .description('the ledger')
    .addHelpText('after', example('tillhook ledger check'));
  ledger
    .command('check')
    .description(
      'check the ledger against the invariants of money; exits with 1 when one is broken, and changes nothing',
    )
    .addOption(merchantOption().default(undefined, 'of all merchants'))
    .addHelpText('after', example('tillhook ledger check'))
    .action(inSteps(check, { takesLong: true }));
}

const services = async () => ({
  ...(await import('../money/wallets/check/check-ledger.service.ts')),
  ...(await import('../people/merchants/merchants.service.ts')),
  ...(await import('../platform/database/statement.ts')),
});

const headings = ['INVARIANT', 'WHAT SHOULD BE TRUE', 'TABLE', 'ID', 'EXPECTED', 'FOUND'];

/** Each batch of the check is one statement, so no snapshot and no lock lasts longer than a batch. */
async function check(context: Context, { merchant }: { merchant?: string }): Promise<Report> {
  const { checkLedger, getMerchant, inOwnStatement } = await services();
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
