import { Migration } from '@mikro-orm/migrations';
import { giveWay } from '../schema/give-way.ts';

/** An identity outlives its user, so that a removed person does not become a user again at the next sign-in. */
export class CompanySignIn extends Migration {
  override up(): void {
    this.addSql(giveWay);
    this.addSql(`
      create table oidc_identity (
        issuer text not null,
        subject text not null,
        user_id uuid references dashboard_user (id) on delete set null,
        created_at timestamptz(3) not null,
        primary key (issuer, subject)
      );
      create index oidc_identity_user on oidc_identity (user_id);
      create table used_oidc_state (
        hash bytea primary key,
        used_at timestamptz(3) not null
      );
      alter table dashboard_session add column has_two_factors boolean not null default false;
      alter table dashboard_user alter column password_hash drop not null;`);
  }
}
