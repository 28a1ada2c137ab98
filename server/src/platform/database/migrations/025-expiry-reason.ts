import { Migration } from '@mikro-orm/migrations';
import { giveWay } from '../schema/give-way.ts';

// See docs/decisions/money.md, "A payment that expired without a reason has no event".
export class ExpiryReason extends Migration {
  override up(): void {
    this.addSql(giveWay);
    this.addSql(`
      alter table payment
        add column expiry_reason text,
        add constraint payment_expiry_reason check (expiry_reason in ('expired', 'cancelled')) not valid;`);
  }
}
