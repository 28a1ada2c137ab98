import { pageOf } from '../../kit/pagination.ts';
import { type Operations, read, write } from '../../operation/operation.ts';
import { merchantRecordView, settingsView } from './merchant.view.ts';
import { changeBrand, getOwnMerchant, pageMerchants } from './merchants.service.ts';

export const merchantsOperations = {
  getSettings: read(async (context) => settingsView(await getOwnMerchant(context), context)),

  updateSettings: write(
    async (context, { body }) => {
      const merchant = await getOwnMerchant(context);
      changeBrand(merchant, body);
      return settingsView(merchant, context);
    },
    { audited: () => ({ mode: null }) },
  ),

  listMerchants: read(async (context, { query }) => {
    const { records, total } = await pageMerchants(context, pageOf(query));
    return { merchants: records.map(merchantRecordView), total };
  }),
} satisfies Partial<Operations>;
