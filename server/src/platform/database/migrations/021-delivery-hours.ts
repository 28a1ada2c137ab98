import { Migration } from '@mikro-orm/migrations';

/**
 * Adds the counts of the deliveries of each hour, which are stored once these deliveries can no longer change. If an
 * hour has no row, or its row is not closed, its deliveries are counted one by one.
 */
export class DeliveryHours extends Migration {
  override up(): void {
    this.addSql(hours);
    this.addSql(counts);
    this.addSql(attempts);
    this.addSql(progress);
  }
}

// `durations` are response times in milliseconds, sorted. For each response time, `answers` has the number of attempts
// that were answered in that time.
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

// `median` and `p95` are response times of the answered attempts. They are null if no attempt was answered.
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

// The time up to which hours were opened. The process that continues from there locks the only row.
const progress = `
  create table delivery_hour_progress (until timestamptz);
  insert into delivery_hour_progress values (null);`;
