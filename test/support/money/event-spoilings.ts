/** SQL that breaks the invariant of events. */
import type { Spoiling } from './spoiling.ts';

const hasItsEvents = {
  invariant: 9,
  says: 'Each payment, refund and transfer has each event that its status requires once, and no other',
};

const insertEvent = (name: string, source: string) => `
  insert into event (id, merchant_id, mode, name, reference, body, created_at)
  select gen_random_uuid(), merchant_id, mode, '${name}', reference, '{', now() from payment where id = ${source}`;

export const eventSpoilings: readonly Spoiling[] = [
  {
    ...hasItsEvents,
    title: 'a success event that is there twice',
    sql: insertEvent('checkout.success', ':completed'),
    row: 'payment completed',
    found: '2 times',
  },
  {
    ...hasItsEvents,
    title: 'a success event that is missing',
    sql: `delete from event where reference = 'order-paid'`,
    row: 'payment completed',
    found: '0 times',
  },
  {
    ...hasItsEvents,
    title: 'an event about the end of a payment that is still pending',
    sql: insertEvent('checkout.failed', ':pending'),
    row: 'payment pending',
    found: '1 times',
  },
  {
    ...hasItsEvents,
    title: 'an expired payment whose event is missing',
    sql: `delete from event where reference = 'order-expired'`,
    row: 'payment expired',
    found: '0 times',
  },
  {
    ...hasItsEvents,
    title: 'an expired payment that also has an event that says failed',
    sql: insertEvent('checkout.failed', ':expired'),
    row: 'payment expired',
    found: '1 times',
  },
  {
    ...hasItsEvents,
    title: 'a failed payment that also has an event that says expired',
    sql: insertEvent('checkout.expired', ':failedPayment'),
    row: 'payment failedPayment',
    found: '1 times',
  },
  {
    ...hasItsEvents,
    title: 'a payment that expired and was paid late, with an event that says failed',
    sql: `update payment set expiry_reason = 'expired' where id = :completed; ${insertEvent('checkout.failed', ':completed')}`,
    row: 'payment completed',
    found: '1 times',
  },
  {
    ...hasItsEvents,
    title: 'an event about the end of a transfer that does not exist',
    sql: 'delete from transfer where id = :paidOut',
    row: 'event success',
    found: '1 times',
  },
  {
    ...hasItsEvents,
    title: 'a reversed transfer whose event is missing',
    sql: `delete from event where name = 'transfer.failed' and reference = 'payout-reversed'`,
    row: 'transfer reversed',
    found: '0 times',
  },
];
