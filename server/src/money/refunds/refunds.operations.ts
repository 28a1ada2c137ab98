import { csvOf } from '../../kit/csv.ts';
import { pageOf } from '../../kit/pagination.ts';
import { type Operation, read, write } from '../../operation/operation.ts';
import { refundColumns, refundView } from './refund.view.ts';
import * as refunds from './refunds.service.ts';

export const createRefund: Operation<'createRefund'> = write(
  async (context, { path, body }) => refundView(await refunds.startRefund(context, path.reference, body ?? {})),
  { audited: ({ reference }) => ({ subject: reference }) },
);

export const listRefunds: Operation<'listRefunds'> = read(
  async (context, { query }) => {
    const { records, total } = await refunds.listRefunds(context, query, pageOf(query));
    return { refunds: records.map(refundView), total };
  },
  { csv: (context, { query }) => csvOf(refundColumns, refunds.readRefunds(context, query), refundView) },
);

export const getRefund: Operation<'getRefund'> = read(async (context, { path }) =>
  refundView(await refunds.getRefund(context, path.reference)),
);
