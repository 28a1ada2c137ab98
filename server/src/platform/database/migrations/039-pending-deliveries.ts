import { Migration } from '@mikro-orm/migrations';
import { giveWay } from '../schema/give-way.ts';

/** The previous release reads, writes and locks the renamed rows through a view with the old name. */
export class PendingDeliveries extends Migration {
  override up(): void {
    this.addSql(giveWay);
    this.addSql('alter table owed_delivery rename to pending_delivery');
    for (const part of ['pkey', 'turn', 'due'])
      this.addSql(`alter index owed_delivery_${part} rename to pending_delivery_${part}`);
    this.addSql('create view owed_delivery as select * from pending_delivery');
  }
}
