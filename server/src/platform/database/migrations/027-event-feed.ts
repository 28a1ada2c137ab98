import { Migration } from '@mikro-orm/migrations';
import { giveWay } from '../schema/give-way.ts';

const index = 'event_feed';
/** With `name` in the index, a reader skips events of other names without reading their rows. */
const columns = '(merchant_id, mode, feed_position, id) include (name)';

// See docs/decisions/database.md, "Events are followed in the order of their transactions".
export class EventFeed extends Migration {
  override isTransactional(): boolean {
    return false;
  }

  override async up(): Promise<void> {
    // Statements that are sent together are one transaction. A constant default rewrites no row.
    await this.execute(`
      ${giveWay}
      lock table event in access exclusive mode;
      alter table event add column if not exists feed_position bigint not null default 0;
      alter table event alter column feed_position set default (pg_current_xact_id()::text::bigint);
      create table if not exists event_order (
        only_row boolean primary key default true check (only_row),
        position_shift bigint not null,
        cluster_identifier bigint
      );
      insert into event_order (position_shift) values (0) on conflict do nothing;`);
    await this.indexDays();
  }

  /** The index is built separately for each partition, so that other transactions continue to write. */
  private async indexDays(): Promise<void> {
    await this.execute(`${giveWay} create index if not exists ${index} on only event ${columns}`);
    const days = await this.execute(`
      select day.inhrelid::regclass::text as name from pg_inherits as day
      where day.inhparent = 'event'::regclass and not exists (
        select from pg_inherits as part join pg_index on indexrelid = part.inhrelid
        where part.inhparent = '${index}'::regclass and indrelid = day.inhrelid)`);
    for (const { name } of days) {
      // An interrupted build leaves an index that Postgres never uses.
      this.addSql(`drop index concurrently if exists ${name}_feed`);
      this.addSql(`create index concurrently ${name}_feed on ${name} ${columns}`);
      this.addSql(`alter index ${index} attach partition ${name}_feed`);
    }
  }
}
