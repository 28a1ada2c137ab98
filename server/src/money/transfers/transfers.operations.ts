import { csvOf } from '../../kit/csv.ts';
import { pageOf } from '../../kit/pagination.ts';
import { type Operation, read, write } from '../../operation/operation.ts';
import { transferColumns, transferView } from './transfer.view.ts';
import * as transfers from './transfers.service.ts';

export const createTransfer: Operation<'createTransfer'> = write(
  async (context, { body }) => transferView(await transfers.startTransfer(context, body)),
  {
    audited: ({ reference }) => ({ subject: reference }),
  },
);

export const listTransfers: Operation<'listTransfers'> = read(
  async (context, { query }) => {
    const { records, total } = await transfers.listTransfers(context, query, pageOf(query));
    return { transfers: records.map(transferView), total };
  },
  { csv: (context, { query }) => csvOf(transferColumns, transfers.readTransfers(context, query), transferView) },
);

export const getTransfer: Operation<'getTransfer'> = read(async (context, { path }) =>
  transferView(await transfers.getTransfer(context, path.reference)),
);
