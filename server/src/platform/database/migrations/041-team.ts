import { Migration } from '@mikro-orm/migrations';
import { giveWay } from '../schema/give-way.ts';

/** The previous release refuses every call of a user with a new role, and reads `merchant`, which stays in old rows. */
const roles = `
  alter table dashboard_user
    drop constraint dashboard_user_role_check,
    add constraint dashboard_user_role
      check (role in ('merchant', 'administrator', 'developer', 'support', 'viewer', 'operator')),
    add column name text`;

// An ended invitation stays for a while, so that its page can say why the link works no more.
const invitations = `
  create table invitation (
    id uuid primary key,
    merchant_id uuid not null references merchant (id),
    email text not null,
    role text not null check (role in ('administrator', 'developer', 'support', 'viewer')),
    token_hash bytea not null unique,
    invited_by text,
    created_at timestamptz(3) not null,
    expires_at timestamptz(3) not null,
    accepted_at timestamptz(3),
    revoked_at timestamptz(3)
  )`;

export class Team extends Migration {
  override up(): void {
    this.addSql(giveWay);
    this.addSql(roles);
    this.addSql('alter table merchant add column support_refund_limit bigint check (support_refund_limit >= 0)');
    this.addSql(invitations);
    this.addSql(
      'create unique index invitation_open on invitation (merchant_id, lower(email)) where accepted_at is null and revoked_at is null',
    );
  }
}
