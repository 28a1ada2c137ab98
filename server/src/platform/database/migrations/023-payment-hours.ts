import { Migration } from '@mikro-orm/migrations';
import { giveWay } from '../schema/give-way.ts';

export class PaymentHours extends Migration {
  override up(): void {
    this.addSql(giveWay);
    this.addSql(counts);
    this.addSql(due);
    this.addSql(progress);
    this.addSql(noteChanges);
  }
}

const counts = `
  create table payment_hour_count (
    merchant_id uuid not null,
    mode text not null,
    starts_at timestamptz not null,
    currency char(3) not null,
    status text not null,
    failure_code text,
    failure_message text,
    payments int not null,
    amount numeric not null
  );
  create index payment_hour_count_list on payment_hour_count (merchant_id, mode, starts_at)
    include (currency, status, payments);`;

// Rows are only inserted and deleted, so two transactions that change payments of one hour never wait for each other,
// and an hour may have several rows.
const due = `
  create table payment_hour_due (
    merchant_id uuid not null,
    mode text not null,
    starts_at timestamptz not null
  );
  create index payment_hour_due_list on payment_hour_due (merchant_id, mode, starts_at);`;

// Every hour before `until` is counted, except the hours in `payment_hour_due`. A counting process locks the only row.
const progress = `
  create table payment_hour_progress (until timestamptz);
  insert into payment_hour_progress values (null);`;

// An hour is counted one hour after its end at the earliest, and no transaction lasts half an hour. So the trigger
// notes only changes of payments that are older than half an hour. Most payments are paid earlier.
const noteChanges = `
  create function note_payment_hour() returns trigger language plpgsql as $$
  begin
    insert into payment_hour_due (merchant_id, mode, starts_at)
    values (new.merchant_id, new.mode, date_bin('1 hour', new.created_at, '1970-01-01T00:00:00Z'));
    return null;
  end $$;
  create trigger payment_hour_added after insert on payment
    for each row when (new.created_at < now() - interval '30 minutes') execute function note_payment_hour();
  create trigger payment_hour_changed after update on payment
    for each row when (new.created_at < now() - interval '30 minutes' and
      (old.status, old.amount, old.currency, old.failure_code, old.failure_message)
        is distinct from (new.status, new.amount, new.currency, new.failure_code, new.failure_message))
    execute function note_payment_hour();`;
