import { Migration } from '@mikro-orm/migrations';
import { giveWay } from '../schema/give-way.ts';

/**
 * Posts the payments that customers completed before the ledger existed. The job `credit-missing-payments` posts the
 * payments that the previous release completes later.
 */
export class PaymentsSoFar extends Migration {
  override up(): void {
    this.addSql(giveWay);
    this.addSql(missingPayments);
    this.addSql(accounts);
    this.addSql(transactions);
    this.addSql(entries);
  }
}

// A completed payment never changes again, so the selection stays correct.
const missingPayments = `
  create temporary table missing_payment on commit drop as
    select id, gen_random_uuid() as transaction_id, merchant_id, mode, currency, reference, amount, completed_at
    from payment
    where status = 'completed'
      and not exists (select from ledger_transaction where kind = 'payment' and source_id = payment.id);`;

// From this statement on the accounts are locked, as for every posting.
const accounts = `
  insert into ledger_account as account (id, merchant_id, mode, currency, kind, balance, entry_count)
    select gen_random_uuid(), merchant_id, mode, currency, side.kind, sum(side.sign * amount), count(*)
    from missing_payment, (values ('collection', 1), ('processor_clearing', -1)) as side (kind, sign)
    group by merchant_id, mode, currency, side.kind
  on conflict on constraint ledger_account_unique do update
    set balance = account.balance + excluded.balance, entry_count = account.entry_count + excluded.entry_count;`;

const transactions = `
  insert into ledger_transaction (id, merchant_id, mode, currency, kind, source_id, reference, created_at)
    select transaction_id, merchant_id, mode, currency, 'payment', id, reference, completed_at from missing_payment;`;

// The entries are the latest of their account, so numbers and balances are counted back from the account's current
// values.
const entries = `
  insert into ledger_entry (id, transaction_id, account_id, number, type, amount, balance)
    select gen_random_uuid(), missing.transaction_id, account.id, account.entry_count - count(*) over later, 'payment',
      moved.amount, account.balance - coalesce(sum(moved.amount) over later, 0)
    from missing_payment as missing
    join ledger_account as account on (account.merchant_id, account.mode, account.currency)
      = (missing.merchant_id, missing.mode, missing.currency) and account.kind in ('collection', 'processor_clearing')
    cross join lateral
      (select case account.kind when 'collection' then missing.amount else -missing.amount end as amount) as moved
    window later as (partition by account.id order by missing.completed_at desc, missing.id desc
      rows between unbounded preceding and 1 preceding);`;
