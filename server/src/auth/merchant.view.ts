import type { Account } from '@tillhook/openapi';
import type { Merchant } from './merchant.entity.ts';

export function merchantView({ id, name, currency }: Merchant): Account['merchant'] {
  return { id, name, currency };
}
