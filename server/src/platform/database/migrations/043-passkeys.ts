import { Migration } from '@mikro-orm/migrations';
import { giveWay } from '../schema/give-way.ts';

export class Passkeys extends Migration {
  override up(): void {
    this.addSql(passkeys);
    this.addSql(challenges);
    this.addSql('create index passkey_of_user on passkey (user_id)');
    this.addSql('create index passkey_challenge_expiry on passkey_challenge (expires_at)');
    this.addSql(giveWay);
    this.addSql('alter table dashboard_user alter column password_hash drop not null');
    this.addSql('alter table dashboard_session add column passkey_id uuid references passkey (id) on delete set null');
  }
}

const passkeys = `
  create table passkey (
    id uuid primary key,
    user_id uuid not null references dashboard_user (id) on delete cascade,
    credential_id text not null constraint passkey_credential_unique unique,
    public_key bytea not null,
    counter bigint not null,
    transports text[] not null,
    name text not null,
    created_at timestamptz(3) not null,
    last_used_at timestamptz(3),
    copy_seen_at timestamptz(3)
  );`;

// `subject` is the id of the user, or null before a sign-in.
const challenges = `
  create table passkey_challenge (
    challenge text primary key,
    ceremony text not null,
    subject uuid,
    expires_at timestamptz(3) not null
  );`;
