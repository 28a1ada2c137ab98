import { ConcurrentIndexes } from './concurrent-indexes.ts';

/** Indexes for what looked through whole tables: the operators' list of transfers, and the parts of the ledger check. */
export class HistoryIndexes extends ConcurrentIndexes {
  protected override readonly indexes = {
    transfer_status: { on: 'transfer (status, mode, id)' },
    /** Few refunds are open at a time. */
    refund_open: { on: "refund (merchant_id) where status in ('pending', 'processing')" },
    /** Only test money is posted without a reference. */
    ledger_transaction_unreferenced: { on: 'ledger_transaction (merchant_id, id) where reference is null' },
  };
}
