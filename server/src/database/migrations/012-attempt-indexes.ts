import { ConcurrentIndexes } from './concurrent-indexes.ts';

export class AttemptIndexes extends ConcurrentIndexes {
  protected override readonly indexes = {
    // No payment has two attempts that are open, whatever a process believes.
    payment_attempt_open: { unique: true, on: 'payment_attempt (payment_id) where outcome is null' },
    payment_attempt_due: { on: 'payment_attempt (next_check_at) where outcome is null' },
    payment_review: { on: 'payment (id) where review_reason is not null' },
  };

  override async up(): Promise<void> {
    await super.up();
    // It found the attempts that are open by their payment.
    this.addSql('drop index concurrently if exists payment_undecided');
  }
}
