import { Migration } from '@mikro-orm/migrations';
import { giveWay } from '../schema/give-way.ts';

/**
 * Stores the other reasons for a review besides the worst reason. The previous release writes and reads only
 * `review_reason`, so it continues as before. An operator who uses that release ends one reason and does not see the
 * others. No row is rewritten.
 * See docs/decisions/money.md, "A payment can be under review for several reasons".
 */
export class ReviewReasons extends Migration {
  override up(): void {
    this.addSql(giveWay);
    this.addSql(`alter table payment add column more_review_reasons text[] not null default '{}'`);
  }
}
