import { ConcurrentIndexes } from '../schema/concurrent-indexes.ts';

const batch = 5000;

/** Every delivery that succeeds would change an index that mentions `status`, even in its condition. */
export class OwedIndexes extends ConcurrentIndexes {
  protected override readonly indexes = {
    /** Only failed and skipped deliveries have a reason, and only these may be replayed. */
    delivery_missed: { on: 'delivery (endpoint_id, id) where status_reason is not null and resent_at is null' },
    /** With this index, the previous release finds at once that it has nothing to send. */
    delivery_due_before: { on: 'delivery (next_attempt_at) where next_attempt_at is not null' },
    /** Migration 016 makes this index the primary key. */
    delivery_attempt_key: { unique: true, on: 'delivery_attempt (delivery_id, attempt)' },
  };

  override async up(): Promise<void> {
    while (await this.moveSome()) {
      // Each batch is one transaction, which runs while other transactions continue.
    }
    await super.up();
    for (const name of ['delivery_due', 'delivery_next', 'delivery_replayable'])
      this.addSql(`drop index concurrently if exists ${name}`);
  }

  /** The update changes nothing, but fires the trigger of migration 014, which moves the pending deliveries. */
  private async moveSome(): Promise<boolean> {
    const moved = await this.execute(`
      update delivery set next_attempt_at = next_attempt_at where id = any(array(
        select id from delivery where status = 'pending' and next_attempt_at is not null
        order by next_attempt_at limit ${batch}))
      returning id`);
    return moved.length > 0;
  }
}
