import { Migration } from '@mikro-orm/migrations';
import { giveWay } from '../schema/give-way.ts';

export class Receipts extends Migration {
  override up(): void {
    this.addSql(giveWay);
    this.addSql(`
      alter table merchant
        add column send_receipts boolean not null default false,
        add column reply_to text`);
    this.addSql(`
      alter table payment
        add column receipt boolean not null default true,
        add column page_locale text`);
  }
}
