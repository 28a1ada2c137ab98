import type { OperationOutput, Transfer as TransferRecord } from '@tillhook/openapi';
import type { CsvColumns } from '../../kit/csv.ts';
import { decimalAmount } from '../../kit/money.ts';
import type { Merchant } from '../../people/merchants/merchant.entity.ts';
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

export const transferColumns: CsvColumns<TransferRecord> = {
  id: ({ id }) => id,
  reference: ({ reference }) => reference,
  status: ({ status }) => status,
  amount: ({ amount }) => amount,
  amountDecimal: ({ amount, currency }) => ({ decimal: decimalAmount(amount, currency) }),
  fee: ({ fee }) => fee,
  feeDecimal: ({ fee, currency }) => ({ decimal: decimalAmount(fee, currency) }),
  currency: ({ currency }) => currency,
  'recipient.name': ({ recipient }) => recipient.name,
  'recipient.accountNumberLast4': ({ recipient }) => recipient.accountNumberLast4,
  'recipient.bankCode': ({ recipient }) => recipient.bankCode,
  narration: ({ narration }) => narration,
  failureCode: ({ failureCode }) => failureCode,
  failureReason: ({ failureReason }) => failureReason,
  mode: ({ mode }) => mode,
  createdAt: ({ createdAt }) => createdAt,
  updatedAt: ({ updatedAt }) => updatedAt,
  completedAt: ({ completedAt }) => completedAt,
  metadata: ({ metadata }) => JSON.stringify(metadata),
};

export function operatorTransferView(
  transfer: Transfer,
  { id, name, currency }: Merchant,
): OperationOutput<'getOpenTransfer'> {
  return { merchant: { id, name, currency }, transfer: transferView(transfer) };
}
