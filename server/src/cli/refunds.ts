import { type Command, Option } from 'commander';
import type { WriteContext } from '../context.ts';
import type { Mode } from '../kit/mode.ts';
import type { RefundStatus } from '../money/refunds/refund.entity.ts';
import { example, fromOption, merchantOption, modeOption, toOption } from './arguments.ts';
import type { Actions } from './perform.ts';
import { listReport, maxListed, type Report, shownAmount } from './report.ts';

export function addRefundCommands(program: Command, { inTransaction }: Actions): void {
  const refunds = program
    .command('refunds')
    .description('money that goes back to customers')
    .addHelpText('after', example('tillhook refunds list --mode live'));
  refunds
    .command('list')
    .description(`show the newest ${maxListed} refunds of a merchant`)
    .addOption(modeOption())
    .addOption(merchantOption())
    .addOption(
      new Option('--status <status>', 'only refunds with this status').choices([
        'pending',
        'processing',
        'completed',
        'failed',
      ]),
    )
    .addOption(fromOption())
    .addOption(toOption())
    .addHelpText('after', example('tillhook refunds list --mode live --status failed'))
    .action(inTransaction(list));
  refunds
    .command('show')
    .description('show one refund, and why it failed')
    .argument('<reference>', 'as refunds list shows it')
    .addOption(modeOption())
    .addOption(merchantOption())
    .addHelpText('after', example('tillhook refunds show refund-1 --mode live'))
    .action(inTransaction(show));
}

const services = async () => ({
  ...(await import('./choose-merchant.ts')),
  ...(await import('../money/refunds/refund.view.ts')),
  ...(await import('../money/refunds/refunds.service.ts')),
});

const headings = ['REFERENCE', 'PAYMENT', 'STATUS', 'AMOUNT', 'ORIGIN', 'CREATED'];

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
  const { chooseMerchant, listRefunds, ownedBy, refundView } = await services();
  const owned = ownedBy(context, await chooseMerchant(context, merchant), mode);
  const filter = { ...time, ...(status && { status: [status] }) };
  const { records, total } = await listRefunds(owned, filter, { limit: maxListed, offset: 0 });
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
  const answer = { headings, rows };
  return listReport(record, answer, total);
}

async function show(context: WriteContext, { which, mode, merchant }: Owned & { which: string }): Promise<Report> {
  const { chooseMerchant, getRefund, ownedBy, refundView } = await services();
  const owned = ownedBy(context, await chooseMerchant(context, merchant), mode);
  const record = refundView(await getRefund(owned, which));
  const status = record.failureReason ? `${record.status}: ${record.failureReason}` : record.status;
  const fields = [
    ['refund', record.reference],
    ['status', status],
    ['payment', record.paymentReference],
    ['amount', shownAmount(record)],
    ['origin', record.origin],
    ['reason', record.reason ?? ''],
    ['created', record.createdAt],
    ['completed', record.completedAt ?? ''],
  ] as const;
  return { record, answer: { fields } };
}
