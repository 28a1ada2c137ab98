import { Migration } from '@mikro-orm/migrations';
import { giveWay } from '../schema/give-way.ts';

export class Dashboard extends Migration {
  override up(): void {
    this.addSql(giveWay);
    this.addSql(users);
    this.addSql(sessions);
  }
}

const users = `
  create table if not exists dashboard_user (
    id uuid primary key,
    merchant_id uuid not null references merchant (id),
    email text not null,
    password_hash text not null,
    created_at timestamptz(3) not null
  );
  create unique index if not exists dashboard_user_email_unique on dashboard_user (lower(email));`;

const sessions = `
  create table if not exists dashboard_session (
    token_hash bytea primary key,
    user_id uuid not null references dashboard_user (id) on delete cascade,
    created_at timestamptz(3) not null,
    last_seen_at timestamptz(3) not null
  );
  create index if not exists dashboard_session_user on dashboard_session (user_id);`;
