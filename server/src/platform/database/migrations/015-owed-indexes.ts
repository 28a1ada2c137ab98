import { ConcurrentIndexes } from '../schema/concurrent-indexes.ts';

const batch = 5000;

/**
 * Replaces the indexes that mention `status`, even in a condition, because every delivery that succeeds would change
 * such an index.
 */
export class OwedIndexes extends ConcurrentIndexes {
  protected override readonly indexes = {
    /** The deliveries that may be replayed: only failed and skipped deliveries have a reason. */
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

  /** Updates rows without changing them, so that the trigger of migration 014 moves the pending deliveries. */
  private async moveSome(): Promise<boolean> {
    const moved = await this.execute(`
      update delivery set next_attempt_at = next_attempt_at where id = any(array(
        select id from delivery where status = 'pending' and next_attempt_at is not null
        order by next_attempt_at limit ${batch}))
      returning id`);
    return moved.length > 0;
  }
}
