import { Migration } from '@mikro-orm/migrations';
import { giveWay } from '../schema/give-way.ts';

/** The previous version neither reads nor writes the new column. */
export class SavedViews extends Migration {
  override up(): void {
    this.addSql(giveWay);
    this.addSql(`alter table dashboard_user add column views jsonb not null default '[]'`);
  }
}
