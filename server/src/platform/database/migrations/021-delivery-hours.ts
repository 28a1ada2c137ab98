import { Migration } from '@mikro-orm/migrations';

export class DeliveryHours extends Migration {
  override up(): void {
    this.addSql(hours);
    this.addSql(counts);
    this.addSql(attempts);
    this.addSql(progress);
  }
}

// `durations` has the response times in milliseconds, sorted, and `answers` the number of attempts for each response
// time.
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

// `median` and `p95` are null if no attempt was answered.
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

// A process that counts further hours first locks the only row of this table.
const progress = `
  create table delivery_hour_progress (until timestamptz);
  insert into delivery_hour_progress values (null);`;
