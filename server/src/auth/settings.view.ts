import type { Settings } from '@tillhook/openapi';
import type { Merchant } from './merchant.entity.ts';

export function settingsView(merchant: Merchant): Settings {
  return {
    merchantId: merchant.id,
    name: merchant.name,
    currency: merchant.currency,
    transferFee: Number(merchant.transferFee),
    logoUrl: merchant.logoUrl ?? null,
    colour: merchant.colour ?? null,
    createdAt: merchant.createdAt.toISOString(),
  };
}
