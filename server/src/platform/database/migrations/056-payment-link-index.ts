import { ConcurrentIndexes } from '../schema/concurrent-indexes.ts';

export class PaymentLinkIndex extends ConcurrentIndexes {
  protected override readonly indexes = {
    /** The payments of one link. Other payments are not in the index, so they cost no more than before. */
    payment_of_link: { on: 'payment (payment_link_id, id) where payment_link_id is not null' },
  };
}
