import { Migration } from '@mikro-orm/migrations';
import { giveWay } from '../schema/give-way.ts';

/** The previous version neither reads nor writes the new column and tables. A job fills the tables. */
export class TimeZone extends Migration {
  override up(): void {
    this.addSql(giveWay);
    this.addSql(zone);
    this.addSql(counts);
  }
}

const zone = `alter table merchant add column time_zone text not null default 'UTC'`;

// The days of every time zone begin at a quarter of an hour of UTC. All entries of an account up to `counted_to`, the
// number of an entry, are counted.
const counts = `
  create table ledger_quarter_count (
    account_id uuid not null,
    starts_at timestamptz not null,
    payments int not null,
    gross bigint not null,
    refunds bigint not null,
    fees bigint not null,
    primary key (account_id, starts_at)
  );
  create table ledger_quarter_progress (
    account_id uuid primary key,
    counted_to bigint not null
  );`;
