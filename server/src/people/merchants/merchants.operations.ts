import { pageOf } from '../../kit/pagination.ts';
import { type Operation, read, write } from '../../operation/operation.ts';
import { merchantRecordView, settingsView } from './merchant.view.ts';
import { changeSettings, getOwnMerchant, pageMerchants } from './merchants.service.ts';

export const getSettings: Operation<'getSettings'> = read(async (context) =>
  settingsView(await getOwnMerchant(context), context),
);

export const updateSettings: Operation<'updateSettings'> = write(
  async (context, { body }) => {
    const merchant = await getOwnMerchant(context);
    const { supportRefundLimit: limit, ...settings } = body;
    changeSettings(merchant, settings);
    if (limit !== undefined) merchant.supportRefundLimit = limit === null ? null : BigInt(limit);
    return settingsView(merchant, context);
  },
  { audited: () => ({ mode: null }) },
);

export const listMerchants: Operation<'listMerchants'> = read(async (context, { query }) => {
  const { records, total } = await pageMerchants(context, pageOf(query));
  return { merchants: records.map(merchantRecordView), total };
});
