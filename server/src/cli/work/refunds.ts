import type { WriteContext } from '../../context.ts';
import type { Mode } from '../../kit/mode.ts';
import type { RefundStatus } from '../../refunds/refund.entity.ts';
import { refundView } from '../../refunds/refund.view.ts';
import { getRefund, listRefunds } from '../../refunds/refunds.service.ts';
import { mostListed } from '../arguments.ts';
import type { Report } from '../report.ts';
import { chooseMerchant } from './choose-merchant.ts';
import { shownAmount } from './transfer-record.ts';

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
  const answer = { headings, rows };
  return total <= mostListed
    ? { record, answer }
    : { record, answer, note: `Only ${mostListed} of ${total} are shown.` };
}

export async function show(context: WriteContext, { which, ...owner }: Owned & { which: string }): Promise<Report> {
  const record = refundView(await getRefund(await ownedBy(context, owner), which));
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

async function ownedBy(context: WriteContext, { mode, merchant }: { mode: Mode; merchant?: string | undefined }) {
  const { id: merchantId, currency } = await chooseMerchant(context, merchant);
  return { ...context, principal: { merchantId, mode, currency } };
}
