import { ConcurrentIndexes } from './concurrent-indexes.ts';

/** An index that names `status`, be it in its condition, would have to hear of every delivery that succeeds. */
export class OwedIndexes extends ConcurrentIndexes {
  protected override readonly indexes = {
    /** What may be replayed: only what failed or was skipped has a reason. */
    delivery_missed: { on: 'delivery (endpoint_id, id) where status_reason is not null and resent_at is null' },
    /** By it the version before finds at once that there is nothing for it. */
    delivery_due_before: { on: 'delivery (next_attempt_at) where next_attempt_at is not null' },
    /** Becomes the primary key of 016. */
    delivery_attempt_key: { unique: true, on: 'delivery_attempt (delivery_id, attempt)' },
  };

  override async up(): Promise<void> {
    await super.up();
    for (const name of ['delivery_due', 'delivery_next', 'delivery_replayable'])
      this.addSql(`drop index concurrently if exists ${name}`);
  }
}
