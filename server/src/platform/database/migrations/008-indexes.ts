import { ConcurrentIndexes } from '../schema/concurrent-indexes.ts';

export class Indexes extends ConcurrentIndexes {
  // `delivery_replayable` lacks successful deliveries, so a delivery that succeeds never changes this index.
  protected override readonly indexes = {
    delivery_list: { on: 'delivery (merchant_id, mode, id)' },
    delivery_event: { on: 'delivery (event_id)' },
    delivery_replayable: {
      on: `delivery (endpoint_id, id) where status in ('failed', 'skipped') and resent_at is null`,
    },
    event_list: { on: 'event (merchant_id, mode, id)' },
    event_reference: { on: 'event (merchant_id, mode, reference, id) where reference is not null' },
    transfer_due: { on: 'transfer (next_check_at) where next_check_at is not null' },
    payment_completed: { on: `payment (completed_at, id) where status = 'completed'` },
  };
}
