import { Migration } from '@mikro-orm/migrations';
import { giveWay } from '../schema/give-way.ts';

/**
 * Adds the line items of a payment. The previous release does not write the column, so it is nullable, and no row is
 * rewritten.
 */
export class LineItems extends Migration {
  override up(): void {
    this.addSql(giveWay);
    this.addSql('alter table payment add column line_items jsonb;');
  }
}
