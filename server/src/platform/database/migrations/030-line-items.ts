import { Migration } from '@mikro-orm/migrations';
import { giveWay } from '../schema/give-way.ts';

/** The line items of a payment. The version before writes none, so the column may be null, and no row is rewritten. */
export class LineItems extends Migration {
  override up(): void {
    this.addSql(giveWay);
    this.addSql('alter table payment add column line_items jsonb;');
  }
}
