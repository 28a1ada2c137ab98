import { Migration } from '@mikro-orm/migrations';
import { giveWay } from '../schema/give-way.ts';

// See docs/decisions/money.md, "A request stops at the highest number of JSON, and money that arrives does not".
export class ExactBalances extends Migration {
  override up(): void {
    this.addSql(giveWay);
    this.addSql('alter table ledger_account drop constraint if exists ledger_account_exact_in_json');
  }
}
