import { type Operations, read } from '../http/operation.ts';
import { pageOf } from '../kit/pagination.ts';
import { transferView } from './transfer.view.ts';
import { listTransfers } from './transfers.service.ts';

export const transfersOperations = {
  listTransfers: read(async (context, { query }) => {
    const { records, total } = await listTransfers(context, query, pageOf(query));
    return { transfers: records.map(transferView), total };
  }),
} satisfies Partial<Operations>;
