import { ConcurrentIndexes } from '../schema/concurrent-indexes.ts';
import { giveWay } from '../schema/give-way.ts';

const eventPage = 'event (merchant_id, mode, id) include (created_at, name)';

export class ListIndexes extends ConcurrentIndexes {
  protected override readonly indexes = {
    payment_amount: { on: 'payment (merchant_id, mode, currency, amount) include (id, created_at, status)' },
    ledger_transaction_reference: {
      on: 'ledger_transaction (merchant_id, mode, reference) where reference is not null',
    },
    /** The numbers of the entries that migration 009 added are not always in the order of time. */
    ledger_entry_added_later: { on: "ledger_entry (account_id, number) where substr(id::text, 15, 1) = '4'" },
  };

  override async up(): Promise<void> {
    await super.up();
    // `payment_page` has the same order as `payment_list`, so the previous release can use it.
    this.addSql('drop index concurrently if exists payment_list');
    await this.indexDays();
  }

  /** The index is built separately for each partition, so that other transactions continue to write. */
  private async indexDays(): Promise<void> {
    await this.execute(`${giveWay} create index if not exists event_page on only ${eventPage}`);
    const days = await this.execute(`
      select day.inhrelid::regclass::text as name from pg_inherits as day
      where day.inhparent = 'event'::regclass and not exists (
        select from pg_inherits as part join pg_index on indexrelid = part.inhrelid
        where part.inhparent = 'event_page'::regclass and indrelid = day.inhrelid)`);
    for (const { name } of days) {
      // An interrupted build leaves an index that Postgres never uses.
      this.addSql(`drop index concurrently if exists ${name}_page`);
      this.addSql(`create index concurrently ${name}_page on ${eventPage.replace('event', name)}`);
      this.addSql(`alter index event_page attach partition ${name}_page`);
    }
    this.addSql(`${giveWay} drop index if exists event_list`);
  }
}
