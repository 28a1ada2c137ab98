import { Migration } from '@mikro-orm/migrations';
import { giveWay } from '../schema/give-way.ts';

/** The tables with rows that a call creates, and with the events about these rows. */
const tables = ['event', 'payment', 'refund', 'transfer'];

/**
 * Adds a column for the trace context of the call that created the row, or of the event. The previous release does not
 * write the columns, so they are nullable, and no row is rewritten. Each table is altered in a separate transaction, so
 * the migration never holds a lock on one table while it waits for another table.
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
