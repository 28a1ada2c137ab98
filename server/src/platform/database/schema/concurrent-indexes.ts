import { Migration } from '@mikro-orm/migrations';

interface Index {
  on: string;
  unique?: boolean;
}

/** Each index is built outside every transaction, while other transactions continue to write. */
export abstract class ConcurrentIndexes extends Migration {
  protected abstract readonly indexes: Readonly<Record<string, Index>>;

  override isTransactional(): boolean {
    return false;
  }

  override async up(): Promise<void> {
    // An interrupted build leaves an index that Postgres never uses, and `if not exists` does not build it again.
    const broken = await this.execute(
      `select indexrelid::regclass as name from pg_index where not indisvalid and indexrelid::regclass::text in
        (${Object.keys(this.indexes).map((name) => `'${name}'`)})`,
    );
    for (const { name } of broken) this.addSql(`drop index concurrently if exists ${name}`);
    for (const [name, { on, unique }] of Object.entries(this.indexes))
      this.addSql(`create ${unique ? 'unique index' : 'index'} concurrently if not exists ${name} on ${on}`);
  }
}
