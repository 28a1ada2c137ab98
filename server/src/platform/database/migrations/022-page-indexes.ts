import { ConcurrentIndexes } from '../schema/concurrent-indexes.ts';

export class PageIndexes extends ConcurrentIndexes {
  protected override readonly indexes = {
    payment_page: { on: 'payment (merchant_id, mode, id) include (created_at, status, currency, amount)' },
    /** No column of this index ever changes, so recording a delivery does not change the index. */
    delivery_page: { on: 'delivery (merchant_id, mode, id) include (created_at, endpoint_id)' },
    /** Every delivery that succeeds would change an index of the status. */
    delivery_missed_page: {
      on: 'delivery (merchant_id, mode, id) include (created_at, endpoint_id) where status_reason is not null',
    },
  };

  override async up(): Promise<void> {
    await super.up();
    // `delivery_page` has the same order as `delivery_list`, so the previous release can use it.
    this.addSql('drop index concurrently if exists delivery_list');
  }
}
