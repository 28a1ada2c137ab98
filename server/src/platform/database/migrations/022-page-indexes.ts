import { ConcurrentIndexes } from '../schema/concurrent-indexes.ts';

/** Indexes that hold what a list filters by, so that Postgres passes over records before a page without reading them. */
export class PageIndexes extends ConcurrentIndexes {
  protected override readonly indexes = {
    payment_page: { on: 'payment (merchant_id, mode, id) include (created_at, status, currency, amount)' },
    /** None of these columns ever changes, so that recording a delivery touches no index. */
    delivery_page: { on: 'delivery (merchant_id, mode, id) include (created_at, endpoint_id)' },
    /** What failed or was skipped, by its reason: an index of the status would be written to for every delivery that succeeds. */
    delivery_missed_page: {
      on: 'delivery (merchant_id, mode, id) include (created_at, endpoint_id) where status_reason is not null',
    },
  };

  override async up(): Promise<void> {
    await super.up();
    // `delivery_page` has the same order, so the version before can use it in place of `delivery_list`.
    this.addSql('drop index concurrently if exists delivery_list');
  }
}
