import type { WriteContext } from '../../context.ts';
import type { Mode } from '../../kit/mode.ts';
import type { RefundStatus } from '../../money/refunds/refund.entity.ts';
import { refundView } from '../../money/refunds/refund.view.ts';
import { getRefund, listRefunds } from '../../money/refunds/refunds.service.ts';
import { mostListed } from '../arguments.ts';
import { listReport, type Report } from '../report.ts';
import { chooseMerchant, ownedBy } from './choose-merchant.ts';
import { shownAmount } from './shown-amount.ts';

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

export async function list(context: WriteContext, { mode, merchant, status, ...time }: ListOptions): Promise<Report> {
  const owned = ownedBy(context, await chooseMerchant(context, merchant), mode);
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
  const answer = { headings, rows };
  return listReport(record, answer, total);
}

export async function show(
  context: WriteContext,
  { which, mode, merchant }: Owned & { which: string },
): Promise<Report> {
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
