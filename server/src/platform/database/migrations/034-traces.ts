import { Migration } from '@mikro-orm/migrations';
import { giveWay } from '../schema/give-way.ts';

const tables = ['event', 'payment', 'refund', 'transfer'];

/**
 * Each table is altered in a separate transaction, so that no lock is held while the migration waits for another table.
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
