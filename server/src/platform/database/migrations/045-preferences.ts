import { Migration } from '@mikro-orm/migrations';
import { giveWay } from '../schema/give-way.ts';

/** What users choose for themselves. Null is the choice of the user's browser. */
const preferences = `
  alter table dashboard_user
    add column theme text not null default 'system' check (theme in ('system', 'light', 'dark')),
    add column time_zone text,
    add column language text,
    add column mails_off text[] not null default '{}'`;

export class Preferences extends Migration {
  override up(): void {
    this.addSql(giveWay);
    this.addSql(preferences);
  }
}
