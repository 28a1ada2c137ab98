import { Migration } from '@mikro-orm/migrations';
import { giveWay } from '../schema/give-way.ts';

/** Stores the URL of each attempt, because the URL of its endpoint may change later. */
export class AttemptAddress extends Migration {
  override up(): void {
    this.addSql(giveWay);
    this.addSql('alter table delivery_attempt add column url text;');
  }
}
