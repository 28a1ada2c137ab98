import type { OperationOutput } from '@tillhook/openapi';
import type { Merchant } from '../auth/merchants/merchant.entity.ts';
import type { Transfer } from './transfer.entity.ts';
import { transferView } from './transfer.view.ts';

/** A transfer as operators see it, who look after those of all merchants. */
export function operatorTransferView(
  transfer: Transfer,
  { id, name, currency }: Merchant,
): OperationOutput<'getOpenTransfer'> {
  return { merchant: { id, name, currency }, transfer: transferView(transfer) };
}
