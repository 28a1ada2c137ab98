import { csvOf } from '../../kit/csv.ts';
import { pageOf } from '../../kit/pagination.ts';
import { type Operations, read, write } from '../../operation/operation.ts';
import { transferColumns, transferView } from './transfer.view.ts';
import { getTransfer, listTransfers, readTransfers, startTransfer } from './transfers.service.ts';

export const transfersOperations = {
  createTransfer: write(async (context, { body }) => transferView(await startTransfer(context, body)), {
    audited: ({ reference }) => ({ subject: reference }),
  }),

  listTransfers: read(
    async (context, { query }) => {
      const { records, total } = await listTransfers(context, query, pageOf(query));
      return { transfers: records.map(transferView), total };
    },
    { csv: (context, { query }) => csvOf(transferColumns, readTransfers(context, query), transferView) },
  ),

  getTransfer: read(async (context, { path }) => transferView(await getTransfer(context, path.reference))),
} satisfies Partial<Operations>;
