import { Migration } from '@mikro-orm/migrations';
import { giveWay } from '../schema/give-way.ts';

/** The address of an endpoint may change after the attempt. */
export class AttemptAddress extends Migration {
  override up(): void {
    this.addSql(giveWay);
    this.addSql('alter table delivery_attempt add column url text;');
  }
}
