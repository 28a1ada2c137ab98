import { Migration } from '@mikro-orm/migrations';
import { giveWay } from '../schema/give-way.ts';

/**
 * Money that arrives is posted, whatever the balance then is. Accounts that no answer shows, such as that of all money from
 * the processor, only ever grow, so a large merchant would reach the bound. The code has it for what a merchant asks for.
 * See docs/decisions/money.md, "A request stops at the highest number of JSON, and money that arrives does not".
 */
export class ExactBalances extends Migration {
  override up(): void {
    this.addSql(giveWay);
    this.addSql('alter table ledger_account drop constraint if exists ledger_account_exact_in_json');
  }
}
