import type { WalletEntry, Wallet as WalletRecord } from '@tillhook/openapi';
import type { CsvColumns } from '../kit/csv.ts';
import { decimalAmount } from '../kit/money.ts';
import type { WalletKind } from './ledger-account.entity.ts';
import type { LedgerEntry } from './ledger-entry.entity.ts';
import type { Wallet } from './statement.service.ts';

/** The conversion to a number is exact: a database constraint keeps every balance within the safe integers of JSON. */
export function walletView({ kind, currency, available, reserved }: Wallet): WalletRecord {
  return { kind, currency, available: Number(available), reserved: Number(reserved) };
}

export function entryView(entry: LedgerEntry, kind: WalletKind): WalletEntry {
  const { currency, reference, createdAt } = entry.transaction;
  return {
    id: entry.id,
    kind,
    type: entry.type,
    amount: Number(entry.amount),
    currency,
    balance: Number(entry.balance),
    reference: reference ?? null,
    createdAt: createdAt.toISOString(),
  };
}

export const entryColumns: CsvColumns<WalletEntry> = {
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
