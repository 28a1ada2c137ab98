import { defineEntity, p } from '@mikro-orm/core';
import type { Mode } from '../../kit/mode.ts';

/** The kinds of accounts that merchants see, and from which they can spend money. */
export type WalletKind = 'collection' | 'transfer';

/**
 * The kinds of accounts that represent the world outside the wallets: processors, fees and test funding. Only these
 * accounts may be below zero.
 */
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
    /** The sum of the account's entries. Each posting updates the sum while it holds the lock of the row. */
    balance: p.bigint(),
    entryCount: p.bigint(),
  },
});

/** A read-only entity: only `post.ts` writes to the table. */
export class LedgerAccount extends LedgerAccountSchema.class {}
LedgerAccountSchema.setClass(LedgerAccount);
