import { Migration } from '@mikro-orm/migrations';

/**
 * What the deliveries of an hour came to, once none of them can change any more. An hour without a row, or whose row is not
 * closed, is counted from its deliveries.
 */
export class DeliveryHours extends Migration {
  override up(): void {
    this.addSql(hours);
    this.addSql(counts);
    this.addSql(attempts);
    this.addSql(progress);
  }
}

// `durations` are milliseconds in order, each with how many attempts a
// receiver answered in that time.
const hours = `
  create table delivery_hour (
    merchant_id uuid not null,
    mode text not null,
    starts_at timestamptz not null,
    is_closed boolean not null default false,
    durations int[] not null default '{}',
    answers int[] not null default '{}',
    primary key (merchant_id, mode, starts_at)
  );
  create index delivery_hour_open on delivery_hour (starts_at) where not is_closed;
  create index delivery_hour_age on delivery_hour (starts_at);`;

const counts = `
  create table delivery_hour_count (
    merchant_id uuid not null,
    mode text not null,
    starts_at timestamptz not null,
    endpoint_id uuid not null,
    event text not null,
    status text not null,
    deliveries int not null,
    primary key (merchant_id, mode, starts_at, endpoint_id, event, status),
    foreign key (merchant_id, mode, starts_at) references delivery_hour on delete cascade
  );`;

// Of the attempts that were answered; null where none was.
const attempts = `
  create table delivery_hour_attempts (
    merchant_id uuid not null,
    mode text not null,
    starts_at timestamptz not null,
    endpoint_id uuid not null,
    attempts int not null,
    median int,
    p95 int,
    primary key (merchant_id, mode, starts_at, endpoint_id),
    foreign key (merchant_id, mode, starts_at) references delivery_hour on delete cascade
  );`;

// Its one row is locked by the process that goes on from there.
const progress = `
  create table delivery_hour_progress (until timestamptz);
  insert into delivery_hour_progress values (null);`;
