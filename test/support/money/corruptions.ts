import type { Corruption } from './filled-ledger.ts';
import { refundCorruptions } from './refund-corruptions.ts';

const copyId = 'ffffffff-ffff-4fff-8fff-ffffffffffff';

const sumsToZero = { invariant: 1, says: 'The entries of a transaction add up to zero' };
const sourceIsPaid = { invariant: 6, says: 'The Collection wallet is credited with each completed payment' };
const isNumbered = { invariant: 10, says: 'Entries are numbered without a gap, and each has the balance after it' };
const staysAsWritten = { invariant: 10, says: 'The database refuses to change an entry' };

const hasItsEvents = {
  invariant: 9,
  says: 'Each payment, refund and transfer has each event that its status requires once, and no other',
};

const insertEvent = (name: string, source: string) => `
  insert into event (id, merchant_id, mode, name, reference, body, created_at)
  select gen_random_uuid(), merchant_id, mode, '${name}', reference, '{', now() from payment where id = ${source}`;

const postAgain = (source: string) => `
  alter table ledger_transaction drop constraint ledger_transaction_source_unique;
  insert into ledger_transaction (id, merchant_id, mode, currency, kind, source_id, reference, created_at)
  select '${copyId}', merchant_id, mode, currency, kind, source_id, reference, created_at
  from ledger_transaction where id = ${source}`;

export const corruptions: readonly Corruption[] = [
  {
    ...sumsToZero,
    title: 'an entry with a raised amount',
    sql: 'update ledger_entry set amount = amount + 1 where id = :entry',
    row: 'ledger_transaction posting',
    found: '1',
  },
  {
    ...sumsToZero,
    title: 'a transaction whose entries were deleted',
    sql: 'delete from ledger_entry where transaction_id = :posting',
    row: 'ledger_transaction posting',
    found: 'no entry',
  },
  {
    invariant: 1,
    says: 'The entries of a currency add up to zero',
    title: 'an entry with a raised amount, in the sum of its currency',
    sql: 'update ledger_entry set amount = amount + 1 where id = :entry',
    row: 'ledger_entry NGN',
    found: '1',
  },
  {
    invariant: 1,
    says: 'The database refuses entries that do not add up to zero',
    title: 'a disabled trigger that checks the sum of entries',
    sql: 'alter table ledger_entry disable trigger ledger_entry_balanced',
    row: 'pg_trigger ledger_entry_balanced',
    found: 'set to D',
  },
  {
    invariant: 2,
    says: "An account's balance is the sum of its entries",
    title: 'a balance that was raised',
    sql: 'update ledger_account set balance = balance + 1 where id = :account',
    row: 'ledger_account account',
    found: '490001 of 2 entries',
  },
  {
    invariant: 3,
    says: "A merchant's account is not below zero",
    title: 'an overdrawn wallet',
    sql: `alter table ledger_account drop constraint ledger_account_balance;
      update ledger_account set balance = -1 where id = :account`,
    row: 'ledger_account account',
    found: '-1',
  },
  {
    invariant: 3,
    says: "A merchant's account was never below zero",
    title: 'a wallet that was overdrawn in the past',
    sql: 'update ledger_entry set balance = -1 where id = :entry',
    row: 'ledger_entry entry',
    found: '-1',
  },
  {
    invariant: 3,
    says: 'The database refuses a balance below zero',
    title: 'a dropped check constraint of balances',
    sql: 'alter table ledger_account drop constraint ledger_account_balance',
    row: 'pg_constraint ledger_account_balance',
    found: 'none',
  },
  {
    invariant: 4,
    says: 'The reserved balance is the sum of the amounts and fees of open transfers',
    title: 'an open transfer in a currency without a reserved balance',
    sql: `update transfer set currency = 'USD' where id = :underWay`,
    row: 'merchant merchant',
    found: '0',
  },
  {
    invariant: 5,
    says: 'A transfer has each transaction that its status requires, once',
    title: 'a transfer whose status was set to completed by hand',
    sql: `update transfer set status = 'completed' where id = :underWay`,
    row: 'transfer underWay',
    found: 'transfer_reserve',
  },
  {
    invariant: 5,
    says: 'The transactions of a transfer move its amount and its fee',
    title: 'a fee that was raised after its posting',
    sql: 'update transfer set fee = fee + 1 where id = :underWay',
    row: 'ledger_transaction reserve',
    found: 'transfer -325, reserved 325, clearing 0, fees 0',
  },
  {
    invariant: 5,
    says: 'There is a transfer for each transaction that names one',
    title: 'a deleted transfer',
    sql: 'delete from transfer where id = :underWay',
    row: 'ledger_transaction reserve',
    found: 'none',
  },
  {
    ...sourceIsPaid,
    title: 'a payment with a raised amount',
    sql: 'update payment set amount = amount + 1 where id = :completed',
    row: 'payment completed',
    found: '500000',
  },
  {
    ...sourceIsPaid,
    title: 'a payment whose status was set to completed by hand',
    sql: `update payment set status = 'completed', completed_at = now() where id = :pending`,
    row: 'payment pending',
    found: 'nothing',
  },
  {
    ...sourceIsPaid,
    title: 'a credited payment whose status was set to failed by hand',
    sql: `update payment set status = 'failed' where id = :completed`,
    row: 'payment completed',
    found: '500000',
  },
  {
    invariant: 6,
    says: 'The Collection wallet is credited with nothing else but failed refunds',
    title: 'a credit without a payment',
    sql: `update ledger_transaction set kind = 'test_funding' where id = :posting`,
    row: 'ledger_entry entry',
    found: 'test_funding',
  },
  {
    invariant: 7,
    says: 'The transaction and the account of an entry have the same merchant, mode and currency',
    title: 'an account whose mode was changed',
    sql: `update ledger_account set mode = 'live' where id = :account`,
    row: 'ledger_entry entry',
    found: / live NGN$/,
  },
  {
    invariant: 7,
    says: 'A transaction has the merchant, mode and currency of its payment, refund or transfer',
    title: 'a transaction whose currency was changed',
    sql: `update ledger_transaction set currency = 'USD' where id = :posting`,
    row: 'ledger_transaction posting',
    found: / test USD$/,
  },
  {
    invariant: 8,
    says: 'Nothing is posted twice',
    title: 'a payment that was posted twice',
    sql: postAgain(':posting'),
    row: `ledger_transaction ${copyId}`,
    found: '2 times',
  },
  {
    invariant: 8,
    says: 'A top-up is posted once for its reference',
    title: 'a top-up that was posted twice',
    sql: `drop index ledger_top_up_reference_unique; ${postAgain(':topUp')}`,
    row: `ledger_transaction ${copyId}`,
    found: '2 times',
  },
  {
    invariant: 8,
    says: 'The database refuses duplicates',
    title: 'a dropped unique index of top-ups',
    sql: 'drop index ledger_top_up_reference_unique',
    row: 'pg_index ledger_top_up_reference_unique',
    found: 'missing',
  },
  {
    ...hasItsEvents,
    title: 'a payment with two success events',
    sql: insertEvent('checkout.success', ':completed'),
    row: 'payment completed',
    found: '2 times',
  },
  {
    ...hasItsEvents,
    title: 'a completed payment without its success event',
    sql: `delete from event where reference = 'order-paid'`,
    row: 'payment completed',
    found: '0 times',
  },
  {
    ...hasItsEvents,
    title: 'a pending payment with a checkout.failed event',
    sql: insertEvent('checkout.failed', ':pending'),
    row: 'payment pending',
    found: '1 times',
  },
  {
    ...hasItsEvents,
    title: 'an expired payment without its event',
    sql: `delete from event where reference = 'order-expired'`,
    row: 'payment expired',
    found: '0 times',
  },
  {
    ...hasItsEvents,
    title: 'an expired payment with an additional checkout.failed event',
    sql: insertEvent('checkout.failed', ':expired'),
    row: 'payment expired',
    found: '1 times',
  },
  {
    ...hasItsEvents,
    title: 'a failed payment with an additional checkout.expired event',
    sql: insertEvent('checkout.expired', ':failedPayment'),
    row: 'payment failedPayment',
    found: '1 times',
  },
  {
    ...hasItsEvents,
    title: 'a payment that was paid after its expiry, with a checkout.failed event',
    sql: `update payment set expiry_reason = 'expired' where id = :completed; ${insertEvent('checkout.failed', ':completed')}`,
    row: 'payment completed',
    found: '1 times',
  },
  {
    ...hasItsEvents,
    title: 'a transfer.success event without a transfer',
    sql: 'delete from transfer where id = :paidOut',
    row: 'event success',
    found: '1 times',
  },
  {
    ...hasItsEvents,
    title: 'a reversed transfer without its transfer.failed event',
    sql: `delete from event where name = 'transfer.failed' and reference = 'payout-reversed'`,
    row: 'transfer reversed',
    found: '0 times',
  },
  ...refundCorruptions,
  {
    ...staysAsWritten,
    title: 'a disabled append-only trigger',
    sql: 'alter table ledger_entry disable trigger ledger_entry_append_only',
    row: 'pg_trigger ledger_entry_append_only',
    found: 'set to D',
  },
  {
    ...staysAsWritten,
    title: 'a dropped append-only trigger',
    sql: 'drop trigger ledger_transaction_append_only on ledger_transaction',
    row: 'pg_trigger ledger_transaction_append_only',
    found: 'missing',
  },
  {
    ...isNumbered,
    title: 'a gap in the numbers of entries',
    sql: 'update ledger_entry set number = 99 where id = :entry',
    row: 'ledger_entry entry',
    found: 'number 99, balance 500000',
  },
  {
    ...isNumbered,
    title: 'an entry with a raised running balance',
    sql: 'update ledger_entry set balance = balance + 1 where id = :entry',
    row: 'ledger_entry entry',
    found: 'number 1, balance 500001',
  },
];
