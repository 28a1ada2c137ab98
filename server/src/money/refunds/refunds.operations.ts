import { csvOf } from '../../kit/csv.ts';
import { pageOf } from '../../kit/pagination.ts';
import { type Operations, read, write } from '../../operation/operation.ts';
import { refundColumns, refundView } from './refund.view.ts';
import { getRefund, listRefunds, readRefunds, startRefund } from './refunds.service.ts';

export const refundsOperations = {
  createRefund: write(
    async (context, { path, body }) => refundView(await startRefund(context, path.reference, body ?? {})),
    { audited: ({ paymentReference }) => ({ subject: paymentReference }) },
  ),

  listRefunds: read(
    async (context, { query }) => {
      const { records, total } = await listRefunds(context, query, pageOf(query));
      return { refunds: records.map(refundView), total };
    },
    { csv: (context, { query }) => csvOf(refundColumns, readRefunds(context, query), refundView) },
  ),

  getRefund: read(async (context, { path }) => refundView(await getRefund(context, path.reference))),
} satisfies Partial<Operations>;
