import { defineEntity, p } from '@mikro-orm/core';
import type { Mode } from '../../kit/mode.ts';

export type LedgerTransactionKind =
  | 'payment'
  | 'top_up'
  | 'test_funding'
  | 'transfer_reserve'
  | 'transfer_settle'
  | 'transfer_return'
  | 'transfer_reversal'
  | 'refund_reserve'
  | 'refund_settle'
  | 'refund_return'
  | 'refund_reversal';

const LedgerTransactionSchema = defineEntity({
  name: 'LedgerTransaction',
  properties: {
    id: p.uuid().primary(),
    merchantId: p.uuid(),
    mode: p.text().$type<Mode>(),
    currency: p.character().length(3),
    kind: p.text().$type<LedgerTransactionKind>(),
    /** The id of the payment, refund or transfer, unique for each kind of posting. Other postings get a new id. */
    sourceId: p.uuid(),
    reference: p.text().nullable(),
    createdAt: p.datetime(3),
  },
});

/** A trigger refuses every update and every delete of a row. */
export class LedgerTransaction extends LedgerTransactionSchema.class {}
LedgerTransactionSchema.setClass(LedgerTransaction);
