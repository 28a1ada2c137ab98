import type { Settings } from '@tillhook/openapi';
import type { Merchant } from './merchant.entity.ts';

export function settingsView({ id, name, currency, transferFee, createdAt }: Merchant): Settings {
  return { merchantId: id, name, currency, transferFee: Number(transferFee), createdAt: createdAt.toISOString() };
}
