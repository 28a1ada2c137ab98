import { ConcurrentIndexes } from '../schema/concurrent-indexes.ts';

export class RefundedPayments extends ConcurrentIndexes {
  protected override readonly indexes = {
    /** A small part of the payments, so a change of a payment that was not refunded costs nothing more. */
    payment_refunded: {
      on: 'payment (merchant_id, mode, id) include (created_at, status) where amount_refunded > 0',
    },
  };
}
