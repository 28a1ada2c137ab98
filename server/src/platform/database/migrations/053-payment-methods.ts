import { Migration } from '@mikro-orm/migrations';
import { giveWay } from '../schema/give-way.ts';

/** The previous version shows the card form for a payment that waits, and refuses a card for it. */
export class PaymentMethods extends Migration {
  override up(): void {
    this.addSql(giveWay);
    this.addSql(methods);
    this.addSql(lateMoney);
    this.addSql(deposits);
  }
}

const methods = `
  alter table payment
    add column waits_for text,
    add column payment_methods text[];
  alter table payment_attempt
    add column method text not null default 'card',
    add column account jsonb;`;

// The rows of before need no validation, because the constraint that they obey allows less.
const lateMoney = `
  alter table payment
    drop constraint payment_review_reason,
    add constraint payment_review_reason check (review_reason in
      ('amount_mismatch', 'paid_late', 'paid_twice', 'refund_without_funds', 'disputed')) not valid;`;

// Money that came by bank transfer. The processor may report the same money several times.
const deposits = `
  create table bank_deposit (
    payment_id uuid not null references payment (id),
    id text not null,
    amount bigint not null,
    currency char(3) not null,
    arrived_at timestamptz(3) not null,
    primary key (payment_id, id)
  );`;
