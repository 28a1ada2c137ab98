import { Migration } from '@mikro-orm/migrations';
import { giveWay } from '../schema/give-way.ts';

/** The previous release does not write the new column, so the column is nullable, and no row is rewritten. */
export class LineItems extends Migration {
  override up(): void {
    this.addSql(giveWay);
    this.addSql('alter table payment add column line_items jsonb;');
  }
}
