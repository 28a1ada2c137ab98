import { type Operations, prepared, write } from '../../operation/operation.ts';
import { settingsView } from '../merchants/merchant.view.ts';
import { getOwnMerchant } from '../merchants/merchants.service.ts';
import { makeLogo, removeLogo, saveLogo } from './logos.service.ts';

export const logosOperations = {
  uploadLogo: prepared(
    (context, { body }) => makeLogo(context, body.image),
    async (context, png) => {
      const merchant = await getOwnMerchant(context);
      await saveLogo(context, merchant, png);
      return settingsView(merchant, context);
    },
    { audited: () => ({ mode: null }) },
  ),

  removeLogo: write(
    async (context) => {
      const merchant = await getOwnMerchant(context);
      await removeLogo(context, merchant);
      return settingsView(merchant, context);
    },
    { audited: () => ({ mode: null }) },
  ),
} satisfies Partial<Operations>;
