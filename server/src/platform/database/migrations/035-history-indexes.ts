import { ConcurrentIndexes } from '../schema/concurrent-indexes.ts';

export class HistoryIndexes extends ConcurrentIndexes {
  protected override readonly indexes = {
    /** With the columns of the filters in the index, a list is counted without reading its rows. */
    transfer_page: { on: 'transfer (merchant_id, mode, id) include (created_at, status)' },
    refund_page: { on: 'refund (merchant_id, mode, id) include (created_at, status)' },
    transfer_status: { on: 'transfer (status, mode, id)' },
    refund_open: { on: "refund (merchant_id) where status in ('pending', 'processing')" },
    ledger_transaction_unreferenced: { on: 'ledger_transaction (merchant_id, id) where reference is null' },
  };

  override async up(): Promise<void> {
    await super.up();
    // The new indexes have the same order as the dropped indexes, so the previous release can use them.
    this.addSql('drop index concurrently if exists transfer_list');
    this.addSql('drop index concurrently if exists refund_list');
  }
}
