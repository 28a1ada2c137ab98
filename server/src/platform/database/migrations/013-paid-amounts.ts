import { Migration } from '@mikro-orm/migrations';
import { giveWay } from '../schema/give-way.ts';

/** What the processor says it has of each attempt. A database may have had the columns from 011, before they stood here. */
export class PaidAmounts extends Migration {
  override up(): void {
    this.addSql(giveWay);
    this.addSql(`
      alter table payment_attempt
        add column if not exists paid_amount bigint,
        add column if not exists paid_currency char(3);`);
  }
}
