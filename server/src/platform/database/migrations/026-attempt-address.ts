import { Migration } from '@mikro-orm/migrations';
import { giveWay } from '../schema/give-way.ts';

/**
 * The address to which an attempt went, because the address of its endpoint may change later. The version before writes
 * none, so the column may be null. A column without a default rewrites no row, in any partition.
 */
export class AttemptAddress extends Migration {
  override up(): void {
    this.addSql(giveWay);
    this.addSql('alter table delivery_attempt add column url text;');
  }
}
