import type { WalletEntry } from '@tillhook/openapi';
import type { WalletKind } from './ledger-account.entity.ts';
import type { LedgerEntry } from './ledger-entry.entity.ts';

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
