import { ConcurrentIndexes } from '../schema/concurrent-indexes.ts';

const batch = 5000;

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
    while (await this.moveSome()) {
      // A transaction for each batch, beside everybody's work.
    }
    await super.up();
    for (const name of ['delivery_due', 'delivery_next', 'delivery_replayable'])
      this.addSql(`drop index concurrently if exists ${name}`);
  }

  /** Written as it is, what waits is moved by the trigger of 014. */
  private async moveSome(): Promise<boolean> {
    const moved = await this.execute(`
      update delivery set next_attempt_at = next_attempt_at where id = any(array(
        select id from delivery where status = 'pending' and next_attempt_at is not null
        order by next_attempt_at limit ${batch}))
      returning id`);
    return moved.length > 0;
  }
}
