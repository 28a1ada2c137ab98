import { defineEntity, p } from '@mikro-orm/core';
import type { Mode } from '../../kit/mode.ts';

export type WalletKind = 'collection' | 'transfer';

/** Accounts for the world outside the wallets: processors, fees, test funding. No other accounts may be negative. */
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
    /** The sum of the account's entries, which each posting updates under the row's lock. */
    balance: p.bigint(),
    entryCount: p.bigint(),
  },
});

/** A read-only entity: only `post.ts` writes to the table. */
export class LedgerAccount extends LedgerAccountSchema.class {}
LedgerAccountSchema.setClass(LedgerAccount);
