import { Migration } from '@mikro-orm/migrations';
import { giveWay } from '../schema/give-way.ts';

export class Refunds extends Migration {
  override up(): void {
    this.addSql(giveWay);
    this.addSql(payments);
    this.addSql(refunds);
    this.addSql(ledger);
  }
}

// The previous release does not write `amount_refunded`, so the column has a default. With `not valid`, no row is
// checked under a lock.
const payments = `
  alter table payment
    add column amount_refunded bigint not null default 0,
    add constraint payment_amount_refunded check (amount_refunded between 0 and amount) not valid,
    drop constraint payment_review_reason,
    add constraint payment_review_reason check (review_reason in
      ('amount_mismatch', 'paid_twice', 'refund_without_funds', 'disputed')) not valid;`;

// `is_posted` is false while the Collection wallet has less than the amount of a refund made at the processor.
const refunds = `
  create table refund (
    id uuid primary key,
    merchant_id uuid not null references merchant (id),
    mode text not null check (mode in ('test', 'live')),
    payment_id uuid not null references payment (id),
    payment_reference text not null,
    reference text not null,
    amount bigint not null check (amount between 1 and 999999999999),
    currency char(3) not null,
    status text not null check (status in ('pending', 'processing', 'completed', 'failed')),
    reason text,
    metadata jsonb not null,
    origin text not null check (origin in ('api', 'dashboard', 'processor')),
    processor_id text,
    is_posted boolean not null default true,
    failure_code text,
    failure_reason text,
    created_at timestamptz(3) not null,
    updated_at timestamptz(3) not null,
    completed_at timestamptz(3),
    next_check_at timestamptz default now(),
    constraint refund_reference_unique unique (merchant_id, mode, reference),
    constraint refund_origin_posted check (is_posted or origin = 'processor')
  );
  create index refund_list on refund (merchant_id, mode, id desc);
  create index refund_of_payment on refund (payment_id);
  create unique index refund_processor_unique on refund (mode, processor_id) where processor_id is not null;
  create index refund_due on refund (next_check_at) where next_check_at is not null;`;

const ledger = `
  alter table ledger_account
    drop constraint ledger_account_kind,
    add constraint ledger_account_kind check (kind in ('collection', 'transfer', 'transfer_reserved', 'refund_reserved',
      'processor_clearing', 'payout_clearing', 'fees', 'funding')) not valid;
  alter table ledger_transaction
    drop constraint ledger_transaction_kind_check,
    add constraint ledger_transaction_kind_check check (kind in ('payment', 'top_up', 'test_funding', 'transfer_reserve',
      'transfer_settle', 'transfer_return', 'transfer_reversal', 'refund_reserve', 'refund_settle', 'refund_return',
      'refund_reversal')) not valid;
  alter table ledger_entry
    drop constraint ledger_entry_type_check,
    add constraint ledger_entry_type_check check (type in ('payment', 'top_up', 'test_funding', 'transfer',
      'transfer_return', 'transfer_reversal', 'fee', 'refund', 'refund_return')) not valid;`;
