import { defineEntity, p } from '@mikro-orm/core';
import type { Mode } from '../../kit/mode.ts';

export type TransferStatus = 'pending' | 'processing' | 'completed' | 'failed' | 'reversed';

export interface TransferFailure {
  code: string;
  message: string;
}

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
    sealedAccountNumber: p.text().nullable(),
    accountNumberLast4: p.text().fieldName('account_number_last4'),
    bankCode: p.text(),
    narration: p.text().nullable(),
    metadata: p.json<Record<string, string>>(),
    failureCode: p.text().nullable(),
    failureReason: p.text().nullable(),
    traceparent: p.text().nullable(),
    createdAt: p.datetime(3),
    updatedAt: p.datetime(3),
    completedAt: p.datetime(3).nullable(),
  },
});

/** The column `next_check_at`, the time of the next status check, is used only in SQL. */
export class Transfer extends TransferSchema.class {
  get isOpen(): boolean {
    return this.status === 'pending' || this.status === 'processing';
  }

  accept(now: Date): void {
    move(this, { from: ['pending'], to: 'processing', now });
  }

  complete(now: Date): void {
    move(this, { from: ['pending', 'processing'], to: 'completed', now });
    this.completedAt = now;
  }

  fail({ code, message }: TransferFailure, now: Date): void {
    move(this, { from: ['pending', 'processing'], to: 'failed', now });
    this.failureCode = code;
    this.failureReason = message;
  }

  reverse({ code, message }: TransferFailure, now: Date): void {
    move(this, { from: ['completed'], to: 'reversed', now });
    this.failureCode = code;
    this.failureReason = message;
  }
}
TransferSchema.setClass(Transfer);

/** Not a `#` method: the ORM creates entities without calling the constructor, so a `#` method would not exist. */
function move(transfer: Transfer, { from, to, now }: { from: TransferStatus[]; to: TransferStatus; now: Date }): void {
  if (!from.includes(transfer.status))
    throw new Error(`Transfer ${transfer.id} is ${transfer.status} and cannot become ${to}.`);
  transfer.status = to;
  transfer.updatedAt = now;
}
