import { Migration } from '@mikro-orm/migrations';
import { giveWay } from '../schema/give-way.ts';

/**
 * The previous release knows only `review_reason`, so its operators do not see the other reasons for a review.
 * See docs/decisions/money.md, "A payment can be under review for several reasons".
 */
export class ReviewReasons extends Migration {
  override up(): void {
    this.addSql(giveWay);
    this.addSql(`alter table payment add column more_review_reasons text[] not null default '{}'`);
  }
}
