import { defineEntity, p } from '@mikro-orm/core';
import type { Mode } from '../kit/mode.ts';

/** What a merchant can spend from, and sees. */
export type WalletKind = 'collection' | 'transfer';

/** System accounts are where money comes from and goes to. Those alone may be below zero. */
export type SystemAccountKind = 'processor_clearing' | 'payout_clearing' | 'fees' | 'funding';

export type AccountKind = WalletKind | 'transfer_reserved' | SystemAccountKind;

const LedgerAccountSchema = defineEntity({
  name: 'LedgerAccount',
  properties: {
    id: p.uuid().primary(),
    merchantId: p.uuid(),
    mode: p.text().$type<Mode>(),
    currency: p.character().length(3),
    kind: p.text().$type<AccountKind>(),
    /** The sum of its entries, kept under the row's lock. */
    balance: p.bigint(),
    entryCount: p.bigint(),
  },
});

/** Read here, written by `post.ts` alone. */
export class LedgerAccount extends LedgerAccountSchema.class {}
LedgerAccountSchema.setClass(LedgerAccount);
