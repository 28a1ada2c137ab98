import { ConcurrentIndexes } from '../schema/concurrent-indexes.ts';

export class AttemptIndexes extends ConcurrentIndexes {
  protected override readonly indexes = {
    // A payment never has two open attempts, even if a process makes a mistake.
    payment_attempt_open: { unique: true, on: 'payment_attempt (payment_id) where outcome is null' },
    payment_attempt_due: { on: 'payment_attempt (next_check_at) where outcome is null' },
    payment_review: { on: 'payment (id) where review_reason is not null' },
  };

  // The index `payment_undecided` stays, because the previous release searches with it.
  override async up(): Promise<void> {
    this.addSql('update payment_attempt set next_check_at = now() where outcome is null and next_check_at is null');
    await super.up();
    for (const constraint of ['payment_attempt_number', 'payment_attempt_outcome'])
      this.addSql(`alter table payment_attempt validate constraint ${constraint}`);
    this.addSql('alter table payment validate constraint payment_review_reason');
  }
}
