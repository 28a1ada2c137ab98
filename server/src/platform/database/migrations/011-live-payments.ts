import { Migration } from '@mikro-orm/migrations';
import { giveWay } from '../schema/give-way.ts';

export class LivePayments extends Migration {
  override up(): void {
    this.addSql(giveWay);
    this.addSql(payments);
    this.addSql(attempts);
    this.addSql(processorEvents);
  }
}

const payments = `
  alter table payment
    add column review_reason text,
    add constraint payment_review_reason check (review_reason in ('amount_mismatch', 'paid_twice')) not valid;`;

// Every existing row satisfies the constraints. With `not valid`, no row is checked while the tables are locked.
const attempts = `
  alter table payment_attempt
    alter column brand drop not null,
    alter column last4 drop not null,
    drop constraint payment_attempt_number_check,
    drop constraint payment_attempt_outcome_check,
    add constraint payment_attempt_number check (number > 0) not valid,
    add constraint payment_attempt_outcome check (outcome in ('paid', 'declined', 'cancelled')) not valid,
    add column processor_id text,
    add column action_url text,
    add column returned_at timestamptz(3),
    add column asked_at timestamptz,
    add column next_check_at timestamptz;
  alter table payment_attempt alter column next_check_at set default now() + interval '60 seconds';`;

const processorEvents = `
  create table processor_event (
    processor text not null,
    id text not null,
    received_at timestamptz not null default now(),
    primary key (processor, id)
  );
  create index processor_event_age on processor_event (received_at);`;
