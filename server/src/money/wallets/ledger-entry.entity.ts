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
    /** The entries of an account are numbered from 1, without gaps. */
    number: p.bigint(),
    type: p.text().$type<EntryType>(),
    /** Positive when money came into the account, negative when money left the account. */
    amount: p.bigint(),
    /** The account's balance after this entry. */
    balance: p.bigint(),
  },
});

/** A trigger refuses every update and every delete of a row. */
export class LedgerEntry extends LedgerEntrySchema.class {}
LedgerEntrySchema.setClass(LedgerEntry);
