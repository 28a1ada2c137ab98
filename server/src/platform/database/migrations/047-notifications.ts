import { Migration } from '@mikro-orm/migrations';
import { giveWay } from '../schema/give-way.ts';

/** What people are notified of. The previous version neither reads nor writes any of it. */
export class Notifications extends Migration {
  override up(): void {
    this.addSql(giveWay);
    this.addSql(notifications);
    this.addSql(endpoints);
    this.addSql('alter table api_key add column late_use_at timestamptz(3)');
  }
}

// A row waits here for at most a minute, until a job writes the mails about it.
const notifications = `
  create table notification (
    id uuid primary key,
    kind text not null,
    merchant_id uuid references merchant (id),
    mode text,
    details jsonb not null
  );
  create table dispute_deadline (
    payment_id uuid primary key,
    due_at timestamptz(3) not null,
    reported_at timestamptz(3)
  );
  create table processor_outage (
    processor text primary key,
    began_at timestamptz(3) not null,
    failed_at timestamptz(3) not null,
    reason text not null,
    reported_at timestamptz(3)
  );`;

// `failing_since` is the time of the first failed attempt since the last successful one. `endpoint_report` has what the
// last mail about an endpoint said.
const endpoints = `
  alter table webhook_endpoint add column failing_since timestamptz(3);
  create index webhook_endpoint_failing on webhook_endpoint (failing_since) where failing_since is not null;
  create index webhook_endpoint_disabled on webhook_endpoint (disabled_at) where disabled_at is not null;
  create table endpoint_report (
    endpoint_id uuid primary key references webhook_endpoint (id),
    state text not null check (state in ('failing', 'disabled', 'well')),
    failing_at timestamptz(3),
    disabled_at timestamptz(3),
    well_since timestamptz(3)
  );
  create index endpoint_report_open on endpoint_report (endpoint_id) where state <> 'well';`;
