import { Migration } from '@mikro-orm/migrations';
import { giveWay } from '../schema/give-way.ts';

/** Rows that a call creates, and the events about them. */
const tables = ['event', 'payment', 'refund', 'transfer'];

/**
 * The position of each row in the trace of a call. The version before writes none, so the column may be null, and no row
 * is rewritten. Each table is changed in a separate transaction, so the migration never holds a lock on one table while it
 * waits for another.
 * See docs/decisions/traces.md, "A trace begins with a call, and its position is stored".
 */
export class Traces extends Migration {
  override isTransactional(): boolean {
    return false;
  }

  override async up(): Promise<void> {
    for (const table of tables)
      await this.execute(`${giveWay} alter table ${table} add column if not exists traceparent text;`);
  }
}
