import { defineEntity, p } from '@mikro-orm/core';
import type { Mode } from '../kit/mode.ts';

export type TransferStatus = 'pending' | 'processing' | 'completed' | 'failed' | 'reversed';

const TransferSchema = defineEntity({
  name: 'Transfer',
  properties: {
    id: p.uuid().primary(),
    merchantId: p.uuid(),
    mode: p.text().$type<Mode>(),
    reference: p.text(),
    amount: p.bigint(),
    fee: p.bigint(),
    currency: p.character().length(3),
    status: p.text().$type<TransferStatus>(),
    recipientName: p.text(),
    accountNumberLast4: p.text().fieldName('account_number_last4'),
    bankCode: p.text(),
    narration: p.text().nullable(),
    failureCode: p.text().nullable(),
    failureReason: p.text().nullable(),
    createdAt: p.datetime(3),
    updatedAt: p.datetime(3),
    completedAt: p.datetime(3).nullable(),
  },
});

export class Transfer extends TransferSchema.class {}
TransferSchema.setClass(Transfer);
