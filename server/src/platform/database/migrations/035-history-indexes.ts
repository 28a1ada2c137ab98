import { ConcurrentIndexes } from '../schema/concurrent-indexes.ts';

/**
 * Indexes for what looked through whole tables: the lists of transfers and refunds, the operators' list of transfers, and
 * the parts of the ledger check.
 */
export class HistoryIndexes extends ConcurrentIndexes {
  protected override readonly indexes = {
    /** They hold what the lists filter by, so that a list is counted without reading the rows. */
    transfer_page: { on: 'transfer (merchant_id, mode, id) include (created_at, status)' },
    refund_page: { on: 'refund (merchant_id, mode, id) include (created_at, status)' },
    transfer_status: { on: 'transfer (status, mode, id)' },
    /** Few refunds are open at a time. */
    refund_open: { on: "refund (merchant_id) where status in ('pending', 'processing')" },
    /** Only test money is posted without a reference. */
    ledger_transaction_unreferenced: { on: 'ledger_transaction (merchant_id, id) where reference is null' },
  };

  override async up(): Promise<void> {
    await super.up();
    // The new ones have the same order, so the version before can use them in place of these.
    this.addSql('drop index concurrently if exists transfer_list');
    this.addSql('drop index concurrently if exists refund_list');
  }
}
