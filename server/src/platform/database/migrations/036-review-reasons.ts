import { Migration } from '@mikro-orm/migrations';
import { giveWay } from '../schema/give-way.ts';

/**
 * The reasons for a review beside the worst one. The version before writes and reads `review_reason` alone, so it goes on
 * as it did, and an operator who uses it ends one reason and sees no other. No row is rewritten.
 * See docs/decisions/money.md, "A payment can be under review for several reasons".
 */
export class ReviewReasons extends Migration {
  override up(): void {
    this.addSql(giveWay);
    this.addSql(`alter table payment add column more_review_reasons text[] not null default '{}'`);
  }
}
