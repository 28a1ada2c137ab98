import { Migration } from '@mikro-orm/migrations';
import { StartError } from '../../../kit/errors.ts';
import { giveWay } from '../schema/give-way.ts';

/** The previous version neither reads nor writes these tables. A job fills them while the service runs. */
export class Search extends Migration {
  override async up(): Promise<void> {
    await this.addExtensions();
    this.addSql(giveWay);
    this.addSql(records);
    this.addSql(progress);
  }

  /** With `if not exists`, Postgres asks for no privilege where somebody has created the extensions before. */
  private async addExtensions(): Promise<void> {
    try {
      await this.execute('create extension if not exists pg_trgm; create extension if not exists btree_gin');
    } catch (cause) {
      throw new StartError(
        `The search needs the extensions pg_trgm and btree_gin of Postgres, and they could not be created: ${cause instanceof Error ? cause.message : cause}. Nothing was changed, and the version before runs on. Let an administrator of the database run "create extension pg_trgm; create extension btree_gin" in this database, and start again.`,
        { cause },
      );
    }
  }
}

// `list` is a mode and a kind of record, such as `live payment`. With the owner in the index, Postgres reads no rows of
// other merchants. A search reads the whole list of what is not sorted into the index yet, so this list stays short.
const records = `
  create table search_record (
    id uuid primary key,
    merchant_id uuid not null,
    list text not null,
    words text not null
  );
  create index search_record_words on search_record using gin (merchant_id, list, words gin_trgm_ops)
    with (gin_pending_list_limit = 256);`;

// Every record before `until` has its row in `search_record`. A process that fills the table locks the row of the kind.
const progress = `
  create table search_progress (kind text primary key, until uuid not null);
  insert into search_progress select kind, '00000000-0000-0000-0000-000000000000'
    from unnest(array['payment', 'refund', 'transfer']) as kind;`;
