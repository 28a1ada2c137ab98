import { Migration } from '@mikro-orm/migrations';
import { giveWay } from '../schema/give-way.ts';

/**
 * Where customers read a merchant's terms and find help, and the name on their statements. A payment keeps the name that it
 * was made with. The version before writes none of these, so all columns may be null, and no row is rewritten.
 */
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
