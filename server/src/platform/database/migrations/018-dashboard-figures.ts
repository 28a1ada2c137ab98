import { Migration } from '@mikro-orm/migrations';
import { giveWay } from '../schema/give-way.ts';

export class DashboardFigures extends Migration {
  override up(): void {
    this.addSql(giveWay);
    this.addSql('alter table webhook_endpoint add column tested_at timestamptz(3);');
    this.addSql('alter table payment_attempt add column failure_message text, add column asked_for_step boolean;');
    this.addSql('alter table merchant add column logo_url text, add column colour text;');
    // An endpoint that has received a delivery counts as tested.
    this.addSql('update webhook_endpoint set tested_at = last_delivered_at where last_delivered_at is not null;');
  }
}
