import { defineEntity, p } from '@mikro-orm/core';
import { LedgerTransaction } from './ledger-transaction.entity.ts';

export type EntryType =
  | 'payment'
  | 'top_up'
  | 'test_funding'
  | 'transfer'
  | 'transfer_return'
  | 'transfer_reversal'
  | 'fee'
  | 'refund'
  | 'refund_return';

const LedgerEntrySchema = defineEntity({
  name: 'LedgerEntry',
  properties: {
    id: p.uuid().primary(),
    transaction: () => p.manyToOne(LedgerTransaction),
    accountId: p.uuid(),
    /** Counts from 1 within its account, without a gap. */
    number: p.bigint(),
    type: p.text().$type<EntryType>(),
    /** Above zero when money came into the account, below zero when it left. */
    amount: p.bigint(),
    /** The account's balance after this entry. */
    balance: p.bigint(),
  },
});

/** The database refuses to change or delete a row. */
export class LedgerEntry extends LedgerEntrySchema.class {}
LedgerEntrySchema.setClass(LedgerEntry);
