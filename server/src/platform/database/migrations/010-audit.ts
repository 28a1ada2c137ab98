import { Migration } from '@mikro-orm/migrations';
import { giveWay } from '../schema/give-way.ts';

export class Audit extends Migration {
  override up(): void {
    this.addSql(giveWay);
    this.addSql('alter table api_key add column name text;');
    this.addSql(entries);
  }
}

const entries = `
  create table audit_entry (
    id uuid primary key,
    merchant_id uuid not null references merchant (id),
    mode text check (mode in ('test', 'live')),
    action text not null,
    subject text,
    user_email text,
    created_at timestamptz(3) not null
  );
  create index audit_entry_list on audit_entry (merchant_id, id);`;
