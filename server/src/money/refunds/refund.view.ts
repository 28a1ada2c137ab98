import type { Refund as RefundRecord } from '@tillhook/openapi';
import type { CsvColumns } from '../../kit/csv.ts';
import { decimalAmount } from '../../kit/money.ts';
import type { Refund } from './refund.entity.ts';

export function refundView(refund: Refund): RefundRecord {
  return {
    id: refund.id,
    reference: refund.reference,
    paymentReference: refund.paymentReference,
    customerEmail: refund.customerEmail,
    amount: Number(refund.amount),
    currency: refund.currency,
    status: refund.status,
    reason: refund.reason ?? null,
    failureCode: refund.failureCode ?? null,
    failureReason: refund.failureReason ?? null,
    origin: refund.origin,
    metadata: refund.metadata,
    mode: refund.mode,
    createdAt: refund.createdAt.toISOString(),
    updatedAt: refund.updatedAt.toISOString(),
    completedAt: refund.completedAt?.toISOString() ?? null,
  };
}

export const refundColumns: CsvColumns<RefundRecord> = {
  id: ({ id }) => id,
  reference: ({ reference }) => reference,
  paymentReference: ({ paymentReference }) => paymentReference,
  status: ({ status }) => status,
  amount: ({ amount }) => amount,
  amountDecimal: ({ amount, currency }) => ({ decimal: decimalAmount(amount, currency) }),
  currency: ({ currency }) => currency,
  reason: ({ reason }) => reason,
  failureCode: ({ failureCode }) => failureCode,
  failureReason: ({ failureReason }) => failureReason,
  origin: ({ origin }) => origin,
  mode: ({ mode }) => mode,
  createdAt: ({ createdAt }) => createdAt,
  updatedAt: ({ updatedAt }) => updatedAt,
  completedAt: ({ completedAt }) => completedAt,
  metadata: ({ metadata }) => JSON.stringify(metadata),
  customerEmail: ({ customerEmail }) => customerEmail,
};
