import { Migration } from '@mikro-orm/migrations';
import { giveWay } from '../schema/give-way.ts';

/** The previous version ignores the column, so each wrong security code uses up an attempt there. */
export class ForgivenCodes extends Migration {
  override up(): void {
    this.addSql(giveWay);
    this.addSql('alter table payment add column forgiven_codes integer not null default 0');
  }
}
