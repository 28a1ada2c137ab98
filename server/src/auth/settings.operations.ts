import { type Operations, read, write } from '../http/operation.ts';
import { changeBrand, getOwnMerchant } from './merchants.service.ts';
import { settingsView } from './settings.view.ts';

export const settingsOperations = {
  getSettings: read(async (context) => settingsView(await getOwnMerchant(context))),

  updateSettings: write(
    async (context, { body }) => {
      const merchant = await getOwnMerchant(context);
      changeBrand(merchant, body);
      return settingsView(merchant);
    },
    { audited: () => ({ mode: null }) },
  ),
} satisfies Partial<Operations>;
