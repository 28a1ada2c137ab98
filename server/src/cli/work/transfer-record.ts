import type { Transfer } from '../../money/transfers/transfer.entity.ts';
import type { Merchant } from '../../people/merchants/merchant.entity.ts';
import type { Sheet, Table } from '../table.ts';
import { shownAmount } from './shown-amount.ts';

const headings = ['ID', 'REFERENCE', 'MERCHANT', 'MODE', 'STATUS', 'AMOUNT', 'RECIPIENT', 'BANK', 'LAST 4', 'AGE'];
const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/** A transfer as JSON, with the last four digits of the account number only. */
export function transferRecord(transfer: Transfer, merchant: Merchant) {
  const { id, reference, mode, status, currency, recipientName, accountNumberLast4, bankCode } = transfer;
  const { createdAt, updatedAt } = transfer;
  return {
    id,
    reference,
    merchant: { id: merchant.id, name: merchant.name },
    mode,
    status,
    amount: Number(transfer.amount),
    fee: Number(transfer.fee),
    currency,
    recipient: { name: recipientName, accountNumberLast4, bankCode },
    narration: transfer.narration ?? null,
    failureCode: transfer.failureCode ?? null,
    failureReason: transfer.failureReason ?? null,
    createdAt,
    updatedAt,
    completedAt: transfer.completedAt ?? null,
  };
}

type TransferRecord = ReturnType<typeof transferRecord>;

export function transferTable(records: readonly TransferRecord[], now: Date): Table {
  const rows = records.map((record) => [
    record.id,
    record.reference,
    record.merchant.name,
    record.mode,
    record.status,
    shownAmount(record),
    record.recipient.name,
    record.recipient.bankCode,
    record.recipient.accountNumberLast4,
    ageOf(record, now),
  ]);
  return { headings, rows };
}

/** Everything that an operator needs to pay the recipient. */
export function transferSheet({ recipient, ...record }: TransferRecord, accountNumber: string | null): Sheet {
  const fields = [
    ['id', record.id],
    ['status', record.failureReason ? `${record.status}: ${record.failureReason}` : record.status],
    ['merchant', `${record.merchant.name} (${record.merchant.id})`],
    ['mode', record.mode === 'live' ? 'live' : 'test: do not pay it'],
    ['created', record.createdAt.toISOString()],
    ['amount', shownAmount(record)],
    ['recipient', recipient.name],
    ['bank', recipient.bankCode],
    ['account number', accountNumber ?? `not stored; it ends in ${recipient.accountNumberLast4}`],
    ['reference', record.reference],
    ['narration', record.narration ?? ''],
  ] as const;
  return { fields };
}

function ageOf({ createdAt }: TransferRecord, now: Date): string {
  const ageMs = now.getTime() - createdAt.getTime();
  if (ageMs < hourMs) return `${Math.floor(ageMs / minuteMs)} min`;
  return ageMs < 2 * dayMs ? `${Math.floor(ageMs / hourMs)} h` : `${Math.floor(ageMs / dayMs)} days`;
}
