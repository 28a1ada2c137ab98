import { defineEntity, p } from '@mikro-orm/core';
import type { Mode } from '../../kit/mode.ts';

/** The accounts that a merchant sees and can spend from. */
export type WalletKind = 'collection' | 'transfer';

/** Accounts that stand for the outside: money comes from them and goes to them. Only these may be below zero. */
export type SystemAccountKind = 'processor_clearing' | 'payout_clearing' | 'fees' | 'funding';

export type AccountKind = WalletKind | 'transfer_reserved' | 'refund_reserved' | SystemAccountKind;

const LedgerAccountSchema = defineEntity({
  name: 'LedgerAccount',
  properties: {
    id: p.uuid().primary(),
    merchantId: p.uuid(),
    mode: p.text().$type<Mode>(),
    currency: p.character().length(3),
    kind: p.text().$type<AccountKind>(),
    /** The sum of its entries. It is updated with each posting, under the row's lock. */
    balance: p.bigint(),
    entryCount: p.bigint(),
  },
});

/** This entity is for reading. Only `post.ts` writes the table. */
export class LedgerAccount extends LedgerAccountSchema.class {}
LedgerAccountSchema.setClass(LedgerAccount);
