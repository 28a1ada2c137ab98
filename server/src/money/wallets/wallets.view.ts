import type { WalletEntry, Wallet as WalletRecord } from '@tillhook/openapi';
import type { CsvColumns } from '../../kit/csv.ts';
import { amountInJson, decimalAmount } from '../../kit/money.ts';
import type { WalletKind } from './ledger-account.entity.ts';
import type { LedgerEntry } from './ledger-entry.entity.ts';
import type { Wallet } from './statement.service.ts';

export function walletView({ kind, currency, available, reserved }: Wallet): WalletRecord {
  return { kind, currency, available: amountInJson(available), reserved: amountInJson(reserved) };
}

export function entryView(entry: LedgerEntry, kind: WalletKind): WalletEntry {
  const { currency, reference, createdAt } = entry.transaction;
  return {
    id: entry.id,
    kind,
    type: entry.type,
    amount: Number(entry.amount),
    currency,
    balance: amountInJson(entry.balance),
    reference: reference ?? null,
    createdAt: createdAt.toISOString(),
  };
}

/** Like `entryView`, but with the exact balance, for responses that are not JSON. */
export function exactEntryView(entry: LedgerEntry, kind: WalletKind) {
  return { ...entryView(entry, kind), balance: entry.balance };
}

export const entryColumns: CsvColumns<ReturnType<typeof exactEntryView>> = {
  id: ({ id }) => id,
  createdAt: ({ createdAt }) => createdAt,
  type: ({ type }) => type,
  reference: ({ reference }) => reference,
  amount: ({ amount }) => amount,
  amountDecimal: ({ amount, currency }) => ({ decimal: decimalAmount(amount, currency) }),
  balance: ({ balance }) => balance,
  balanceDecimal: ({ balance, currency }) => ({ decimal: decimalAmount(balance, currency) }),
  currency: ({ currency }) => currency,
  kind: ({ kind }) => kind,
};
