import { Migration } from '@mikro-orm/migrations';
import { giveWay } from '../schema/give-way.ts';

/** Other transactions read and write the tables during this validation of existing rows. */
export class RefundChecks extends Migration {
  override up(): void {
    this.addSql(giveWay);
    for (const [table, constraint] of constraints)
      this.addSql(`alter table ${table} validate constraint ${constraint}`);
  }
}

const constraints = [
  ['payment', 'payment_amount_refunded'],
  ['payment', 'payment_review_reason'],
  ['ledger_account', 'ledger_account_kind'],
  ['ledger_transaction', 'ledger_transaction_kind_check'],
  ['ledger_entry', 'ledger_entry_type_check'],
];
