import { type Operations, read, write } from '../http/operation.ts';
import { getOwnMerchant, renameMerchant } from './merchants.service.ts';
import { settingsView } from './settings.view.ts';

export const settingsOperations = {
  getSettings: read(async (context) => settingsView(await getOwnMerchant(context))),

  updateSettings: write(
    async (context, { body: { name } }) => {
      const merchant = await getOwnMerchant(context);
      if (name !== undefined) renameMerchant(merchant, name);
      return settingsView(merchant);
    },
    { audited: () => ({ mode: null }) },
  ),
} satisfies Partial<Operations>;
