import { Migration } from '@mikro-orm/migrations';
import { giveWay } from '../schema/give-way.ts';

/**
 * Stores the address to which an attempt was sent, because the address of its endpoint may change later. The previous
 * release does not write the column, so it is nullable. A column without a default rewrites no row, in any partition.
 */
export class AttemptAddress extends Migration {
  override up(): void {
    this.addSql(giveWay);
    this.addSql('alter table delivery_attempt add column url text;');
  }
}
