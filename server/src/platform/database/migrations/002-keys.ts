import { Migration } from '@mikro-orm/migrations';
import { giveWay } from '../schema/give-way.ts';

/**
 * The columns are nullable and have no default, so that no row is rewritten and the previous release continues to work.
 */
export class Keys extends Migration {
  override up(): void {
    this.addSql(giveWay);
    this.addSql(apiKeys);
    this.addSql(merchants);
  }
}

const apiKeys = `
  alter table api_key
    add column scopes text[],
    add column expires_at timestamptz(3),
    add column revoked_at timestamptz(3),
    add column last_used_at timestamptz(3),
    add column rolled_from uuid references api_key (id);
  create index api_key_list on api_key (merchant_id, id desc);`;

const merchants = 'alter table merchant add column suspended_at timestamptz(3);';
