import { Migration } from '@mikro-orm/migrations';
import { giveWay } from '../schema/give-way.ts';

/** The previous release does not write the new columns, so the columns are nullable, and no row is rewritten. */
export class MerchantLinks extends Migration {
  override up(): void {
    this.addSql(giveWay);
    this.addSql(`
      alter table merchant
        add column terms_url text,
        add column support_url text,
        add column support_email text,
        add column statement_name text;`);
    this.addSql('alter table payment add column statement_name text;');
  }
}
