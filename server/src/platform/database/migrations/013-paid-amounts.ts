import { Migration } from '@mikro-orm/migrations';
import { giveWay } from '../schema/give-way.ts';

export class PaidAmounts extends Migration {
  override up(): void {
    this.addSql(giveWay);
    this.addSql(`
      alter table payment_attempt
        add column if not exists paid_amount bigint,
        add column if not exists paid_currency char(3);`);
  }
}
