import { Migration } from '@mikro-orm/migrations';
import { giveWay } from '../schema/give-way.ts';

// See docs/decisions/checkout-page.md, "A payment stores who cancelled it".
export class CancelledBy extends Migration {
  override up(): void {
    this.addSql(giveWay);
    this.addSql(`
      alter table payment
        add column cancelled_by text,
        add constraint payment_cancelled_by check (cancelled_by in ('merchant', 'customer')) not valid;`);
  }
}
