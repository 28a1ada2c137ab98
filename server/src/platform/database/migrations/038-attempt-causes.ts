import { Migration } from '@mikro-orm/migrations';
import { giveWay } from '../schema/give-way.ts';

export class AttemptCauses extends Migration {
  override up(): void {
    this.addSql(giveWay);
    this.addSql('alter table delivery_attempt add column error_cause text');
  }
}
