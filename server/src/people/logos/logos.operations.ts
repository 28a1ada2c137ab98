import { type Operation, write } from '../../operation/operation.ts';
import { settingsView } from '../merchants/merchant.view.ts';
import { getOwnMerchant } from '../merchants/merchants.service.ts';
import * as logos from './logos.service.ts';

export const uploadLogo: Operation<'uploadLogo'> = write(
  async (context, _input, png: Uint8Array) => {
    const merchant = await getOwnMerchant(context);
    await logos.saveLogo(context, merchant, png);
    return settingsView(merchant, context);
  },
  { before: (context, { body }) => logos.makeLogo(context, body.image), audited: () => ({ mode: null }) },
);

export const removeLogo: Operation<'removeLogo'> = write(
  async (context) => {
    const merchant = await getOwnMerchant(context);
    await logos.removeLogo(context, merchant);
    return settingsView(merchant, context);
  },
  { audited: () => ({ mode: null }) },
);
