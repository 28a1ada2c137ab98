import { Migration } from '@mikro-orm/migrations';

// The email is what the caller typed, and may belong to no user.
const resets = `
  create table password_reset (
    token_hash bytea primary key,
    email text not null,
    created_at timestamptz(3) not null
  );
  create index password_reset_email on password_reset (lower(email));
  create index password_reset_created on password_reset (created_at);`;

const browsers = `
  create table known_browser (
    user_id uuid not null references dashboard_user (id) on delete cascade,
    token_hash bytea not null,
    seen_at timestamptz(3) not null,
    primary key (user_id, token_hash)
  );`;

export class PasswordReset extends Migration {
  override up(): void {
    this.addSql(resets);
    this.addSql(browsers);
  }
}
