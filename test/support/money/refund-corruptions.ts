import type { Corruption } from './filled-ledger.ts';

const isReserved = {
  invariant: 4,
  says: 'The balance reserved for refunds is the sum of the amounts of open refunds',
};
const hasItsTransactions = { invariant: 5, says: 'A refund has each transaction that its status requires, once' };
const fitsItsPayment = {
  invariant: 6,
  says: 'A payment has refunds of at most its amount that are completed or open, and shows their sum',
};
const hasItsEvents = {
  invariant: 9,
  says: 'Each payment, refund and transfer has each event that its status requires once, and no other',
};

export const refundCorruptions: readonly Corruption[] = [
  {
    ...isReserved,
    title: 'an open refund in a currency without a reserved balance',
    sql: `update refund set currency = 'JPY' where id = :refundUnderWay`,
    row: 'merchant merchant',
    found: '0',
  },
  {
    ...hasItsTransactions,
    title: 'a refund whose status was set to completed by hand',
    sql: `update refund set status = 'completed', completed_at = now() where id = :refundUnderWay`,
    row: 'refund refundUnderWay',
    found: 'refund_reserve',
  },
  {
    ...hasItsTransactions,
    title: 'a completed refund whose status was set to failed by hand',
    sql: `update refund set status = 'failed' where id = :refundCompleted`,
    row: 'refund refundCompleted',
    found: 'refund_reserve, refund_settle',
  },
  {
    ...hasItsTransactions,
    title: 'a posted refund that is marked as not posted',
    sql: `update refund set is_posted = false, origin = 'processor' where id = :refundCompleted`,
    row: 'refund refundCompleted',
    found: 'refund_reserve, refund_settle',
  },
  {
    invariant: 5,
    says: 'The transactions of a refund move its amount',
    title: 'a refund with a raised amount',
    sql: 'update refund set amount = amount + 1 where id = :refundUnderWay',
    row: 'ledger_transaction refundReserve',
    found: 'collection -300, reserved 300, clearing 0',
  },
  {
    invariant: 5,
    says: 'There is a refund for each transaction that names one',
    title: 'a deleted refund',
    sql: 'delete from refund where id = :refundUnderWay',
    row: 'ledger_transaction refundReserve',
    found: 'none',
  },
  {
    ...fitsItsPayment,
    title: 'a payment whose refunded amount is too small',
    sql: 'update payment set amount_refunded = amount_refunded - 1 where id = :refunded',
    row: 'payment refunded',
    found: 'refunds of 600',
  },
  {
    ...fitsItsPayment,
    title: 'a payment whose refunds exceed its amount',
    sql: `alter table payment drop constraint payment_amount_refunded;
      update refund set amount = 9701 where id = :refundUnderWay;
      update payment set amount_refunded = 10001 where id = :refunded`,
    row: 'payment refunded',
    found: 'refunds of 10001',
  },
  {
    invariant: 6,
    says: 'The database refuses refunds beyond the amount of a payment',
    title: 'a dropped check constraint of refunds',
    sql: 'alter table payment drop constraint payment_amount_refunded',
    row: 'pg_constraint payment_amount_refunded',
    found: 'none',
  },
  {
    invariant: 6,
    says: 'A refund has the merchant, mode and currency of its payment, and the payment is completed',
    title: 'a refund of a failed payment',
    sql: 'update refund set payment_id = :failedPayment where id = :refundFailed',
    row: 'refund refundFailed',
    found: / test USD failed$/,
  },
  {
    invariant: 8,
    says: 'The database refuses duplicates',
    title: 'a dropped unique index of refunds',
    sql: 'drop index refund_processor_unique',
    row: 'pg_index refund_processor_unique',
    found: 'missing',
  },
  {
    ...hasItsEvents,
    title: 'a completed refund without its event',
    sql: `delete from event where name = 'refund.success' and reference = 'refund-completed'`,
    row: 'refund refundCompleted',
    found: '0 times',
  },
  {
    ...hasItsEvents,
    title: 'a failed refund without its event',
    sql: `delete from event where name = 'refund.failed' and reference = 'refund-failed'`,
    row: 'refund refundFailed',
    found: '0 times',
  },
  {
    ...hasItsEvents,
    title: 'an open refund with a refund.success event',
    sql: `insert into event (id, merchant_id, mode, name, reference, body, created_at)
      select gen_random_uuid(), merchant_id, mode, 'refund.success', reference, '{', now()
      from refund where id = :refundUnderWay`,
    row: 'refund refundUnderWay',
    found: '1 times',
  },
  {
    ...hasItsEvents,
    title: 'a refund that failed after its completion, without its refund.success event',
    sql: `delete from event where name = 'refund.success' and reference = 'refund-back'`,
    row: 'refund refundBack',
    found: '0 times',
  },
];
