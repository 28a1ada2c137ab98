import { Migration } from '@mikro-orm/migrations';
import { giveWay } from '../schema/give-way.ts';

export class RolesAndTwoStep extends Migration {
  override up(): void {
    this.addSql(giveWay);
    this.addSql(users);
    this.addSql(recoveryCodes);
    this.addSql(sessions);
    this.addSql(entries);
  }
}

// `two_step_used` is the time step of the last accepted code. Codes of this or an earlier time step are refused.
const users = `
  alter table merchant add column requires_two_step boolean not null default false;
  alter table dashboard_user
    add column role text not null default 'merchant' check (role in ('merchant', 'viewer', 'operator')),
    add column two_step_secret text,
    add column two_step_used bigint,
    add column pending_secret text,
    add column pending_until timestamptz(3);`;

const recoveryCodes = `
  create table recovery_code (
    user_id uuid not null references dashboard_user (id) on delete cascade,
    hash bytea not null,
    primary key (user_id, hash)
  );`;

// The previous release writes no id of a session, so the database generates the id.
const sessions = `
  alter table dashboard_session
    add column id uuid not null default gen_random_uuid() unique,
    add column address text,
    add column browser text;`;

const entries = `
  alter table audit_entry
    add column operator_email text,
    add column address text,
    add column browser text;`;
