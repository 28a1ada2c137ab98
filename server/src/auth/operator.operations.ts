import { type Operations, read } from '../http/operation.ts';
import { pageOf } from '../kit/pagination.ts';
import { merchantRecordView } from './merchant.view.ts';
import { pageMerchants } from './merchants.service.ts';

export const operatorOperations = {
  listMerchants: read(async (context, { query }) => {
    const { records, total } = await pageMerchants(context, pageOf(query));
    return { merchants: records.map(merchantRecordView), total };
  }),
} satisfies Partial<Operations>;
