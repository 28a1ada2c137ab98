import type { Command } from 'commander';
import type { WriteContext } from '../context.ts';
import type { Mode } from '../kit/mode.ts';
import type { RefundStatus } from '../refunds/refund.entity.ts';
import { refundView } from '../refunds/refund.view.ts';
import { getRefund, listRefunds } from '../refunds/refunds.service.ts';
import { fromOption, merchantOption, modeOption, refundStatusOption, toOption } from './arguments.ts';
import { chooseMerchant } from './choose-merchant.ts';
import type { Perform, Report } from './perform.ts';
import { table } from './table.ts';
import { shownAmount } from './transfer-record.ts';

const mostListed = 100;
const headings = ['REFERENCE', 'PAYMENT', 'STATUS', 'AMOUNT', 'ORIGIN', 'CREATED'];

export function addRefundCommands(program: Command, perform: Perform): void {
  const refunds = program.command('refunds').description('money that goes back to customers');
  refunds
    .command('list')
    .description(`show the newest ${mostListed} refunds of a merchant`)
    .addOption(modeOption())
    .addOption(merchantOption())
    .addOption(refundStatusOption())
    .addOption(fromOption())
    .addOption(toOption())
    .action(perform(list));
  refunds
    .command('show')
    .description('show one refund, and why it failed')
    .argument('<reference>', 'as refunds list shows it')
    .addOption(modeOption())
    .addOption(merchantOption())
    .action(perform(show));
}

interface Owned {
  mode: Mode;
  merchant?: string;
}

interface ListOptions extends Owned {
  status?: RefundStatus;
  from?: string;
  to?: string;
}

async function list(context: WriteContext, { mode, merchant, status, ...time }: ListOptions): Promise<Report> {
  const owned = await ownedBy(context, { mode, merchant });
  const filter = { ...time, ...(status && { status: [status] }) };
  const { records, total } = await listRefunds(owned, filter, { limit: mostListed, offset: 0 });
  const record = records.map(refundView);
  if (total === 0) return { record, note: 'No refund matches.' };
  const rows = record.map((each) => [
    each.reference,
    each.paymentReference,
    each.status,
    shownAmount(each),
    each.origin,
    each.createdAt,
  ]);
  const answer = table(headings, rows);
  return total <= mostListed
    ? { record, answer }
    : { record, answer, note: `Only ${mostListed} of ${total} are shown.` };
}

async function show(context: WriteContext, { which, ...owner }: Owned & { which: string }): Promise<Report> {
  const record = refundView(await getRefund(await ownedBy(context, owner), which));
  const status = record.failureReason ? `${record.status}: ${record.failureReason}` : record.status;
  const rows = [
    ['status', status],
    ['payment', record.paymentReference],
    ['amount', shownAmount(record)],
    ['origin', record.origin],
    ['reason', record.reason ?? ''],
    ['created', record.createdAt],
    ['completed', record.completedAt ?? ''],
  ];
  return { record, answer: table(['REFUND', record.reference], rows) };
}

async function ownedBy(context: WriteContext, { mode, merchant }: { mode: Mode; merchant?: string | undefined }) {
  const { id: merchantId, currency } = await chooseMerchant(context, merchant);
  return { ...context, principal: { merchantId, mode, currency } };
}
