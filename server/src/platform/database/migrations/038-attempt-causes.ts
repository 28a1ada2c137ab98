import { Migration } from '@mikro-orm/migrations';
import { giveWay } from '../schema/give-way.ts';

/**
 * Stores Node's error code for a TLS failure, such as an invalid certificate. The previous release does not write the
 * column.
 */
export class AttemptCauses extends Migration {
  override up(): void {
    this.addSql(giveWay);
    this.addSql('alter table delivery_attempt add column error_cause text');
  }
}
