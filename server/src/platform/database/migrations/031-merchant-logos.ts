import { Migration } from '@mikro-orm/migrations';
import { giveWay } from '../schema/give-way.ts';

/** The column `merchant.logo_url` stays, because the previous release still reads and writes it. */
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
