import { Migration } from '@mikro-orm/migrations';
import { giveWay } from '../schema/give-way.ts';

/**
 * Stores the logos of merchants. `merchant.logo_url`, the URL of a logo on another server, stays for the previous
 * release, which reads and writes the column while this release starts. This release does not read it.
 */
export class MerchantLogos extends Migration {
  override up(): void {
    this.addSql(giveWay);
    this.addSql(`
      create table merchant_logo (
        merchant_id uuid primary key references merchant (id),
        hash text not null,
        png bytea not null,
        created_at timestamptz(3) not null
      );
      create index merchant_logo_hash on merchant_logo (hash);
      alter table merchant add column logo_hash text;`);
  }
}
