import type { OperationOutput, Transfer as TransferRecord } from '@tillhook/openapi';
import type { Merchant } from '../auth/merchants/merchant.entity.ts';
import type { Transfer } from './transfer.entity.ts';

export function transferView(transfer: Transfer): TransferRecord {
  return {
    id: transfer.id,
    reference: transfer.reference,
    amount: Number(transfer.amount),
    fee: Number(transfer.fee),
    currency: transfer.currency,
    status: transfer.status,
    recipient: {
      name: transfer.recipientName,
      accountNumberLast4: transfer.accountNumberLast4,
      bankCode: transfer.bankCode,
    },
    narration: transfer.narration ?? null,
    metadata: transfer.metadata,
    failureCode: transfer.failureCode ?? null,
    failureReason: transfer.failureReason ?? null,
    mode: transfer.mode,
    createdAt: transfer.createdAt.toISOString(),
    updatedAt: transfer.updatedAt.toISOString(),
    completedAt: transfer.completedAt?.toISOString() ?? null,
  };
}

/** A transfer as an operator sees it, with its merchant: operators settle the transfers of all merchants. */
export function operatorTransferView(
  transfer: Transfer,
  { id, name, currency }: Merchant,
): OperationOutput<'getOpenTransfer'> {
  return { merchant: { id, name, currency }, transfer: transferView(transfer) };
}
