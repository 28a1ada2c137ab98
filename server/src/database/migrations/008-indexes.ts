import { Migration } from '@mikro-orm/migrations';

/** Those of tables that grow, built while everybody goes on writing. That takes a statement each, and no transaction. */
export class Indexes extends Migration {
  override isTransactional(): boolean {
    return false;
  }

  override async up(): Promise<void> {
    // A build that was cut off leaves an index that is kept up to date and never used, and that `if not exists` takes for one.
    const broken = await this.execute(
      `select indexrelid::regclass as name from pg_index where not indisvalid and indexrelid::regclass::text in
        (${Object.keys(indexes).map((name) => `'${name}'`)})`,
    );
    for (const { name } of broken) this.addSql(`drop index concurrently if exists ${name}`);
    for (const [name, on] of Object.entries(indexes))
      this.addSql(`create index concurrently if not exists ${name} on ${on}`);
  }
}

// Of what ended undelivered only that is indexed which may still be replayed: a delivery that succeeds never enters it.
const indexes = {
  delivery_list: 'delivery (merchant_id, mode, id)',
  delivery_event: 'delivery (event_id)',
  delivery_replayable: `delivery (endpoint_id, id) where status in ('failed', 'skipped') and resent_at is null`,
  event_list: 'event (merchant_id, mode, id)',
  event_reference: 'event (merchant_id, mode, reference, id) where reference is not null',
  transfer_due: 'transfer (next_check_at) where next_check_at is not null',
  payment_completed: `payment (completed_at, id) where status = 'completed'`,
};
