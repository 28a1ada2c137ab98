import { Migration } from '@mikro-orm/migrations';
import { giveWay } from '../schema/give-way.ts';

/** The previous version ignores the column. */
export class PaymentNotes extends Migration {
  override up(): void {
    this.addSql(giveWay);
    this.addSql('alter table payment add column note text');
  }
}
