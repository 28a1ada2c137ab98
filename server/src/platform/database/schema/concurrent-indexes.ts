import { Migration } from '@mikro-orm/migrations';

interface Index {
  on: string;
  unique?: boolean;
}

/** Indexes of tables that grow, built while everybody goes on writing. That takes a statement each, and no transaction. */
export abstract class ConcurrentIndexes extends Migration {
  protected abstract readonly indexes: Readonly<Record<string, Index>>;

  override isTransactional(): boolean {
    return false;
  }

  override async up(): Promise<void> {
    // A build that was cut off leaves an index that is kept up to date and never used, and that `if not exists` takes for one.
    const broken = await this.execute(
      `select indexrelid::regclass as name from pg_index where not indisvalid and indexrelid::regclass::text in
        (${Object.keys(this.indexes).map((name) => `'${name}'`)})`,
    );
    for (const { name } of broken) this.addSql(`drop index concurrently if exists ${name}`);
    for (const [name, { on, unique }] of Object.entries(this.indexes))
      this.addSql(`create ${unique ? 'unique index' : 'index'} concurrently if not exists ${name} on ${on}`);
  }
}
