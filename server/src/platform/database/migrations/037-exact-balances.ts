import { Migration } from '@mikro-orm/migrations';
import { giveWay } from '../schema/give-way.ts';

/**
 * Drops the maximum balance, so that money that arrives is always posted. Accounts that no response shows, such as the
 * account of all money from the processor, never shrink, so the accounts of a large merchant would reach the maximum.
 * The code still applies the maximum to amounts that a merchant requests.
 * See docs/decisions/money.md, "A request stops at the highest number of JSON, and money that arrives does not".
 */
export class ExactBalances extends Migration {
  override up(): void {
    this.addSql(giveWay);
    this.addSql('alter table ledger_account drop constraint if exists ledger_account_exact_in_json');
  }
}
