import { Migration } from '@mikro-orm/migrations';
import { giveWay } from '../schema/give-way.ts';

/** The code of Node for a failure of TLS, such as of a certificate. The version before writes none. No row is rewritten. */
export class AttemptCauses extends Migration {
  override up(): void {
    this.addSql(giveWay);
    this.addSql('alter table delivery_attempt add column error_cause text');
  }
}
