import type { Wallet as WalletRecord } from '@tillhook/openapi';
import type { Wallet } from './statement.service.ts';

/** The database keeps every balance within what a number of JSON holds exactly. */
export function walletView({ kind, currency, available, reserved }: Wallet): WalletRecord {
  return { kind, currency, available: Number(available), reserved: Number(reserved) };
}
