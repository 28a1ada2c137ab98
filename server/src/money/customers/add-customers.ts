/**
 * Adds up who paid, in the order of the payments, so creating a payment writes nothing for it.
 * See docs/decisions/figures.md, "Customers are added up by the job of the search".
 */
import { sql } from 'kysely';
import type { Context, WriteContext } from '../../context.ts';
import { rowsOf, run } from '../../platform/database/statement.ts';
import { inTransaction } from '../../platform/database/transaction.ts';
import { idsBetween, takeNext } from '../../text-search/search-progress.service.ts';
import { countPayments, largeCustomer } from './customer-figures.ts';

/** Returns false when all payments before `end` are added up, or another process adds them up. */
export function addCustomers(context: WriteContext, end: string): Promise<boolean> {
  return takeNext(
    context,
    { kind: 'customer', table: sql.table('payment'), end },
    (ids) => run(context)`
      with paid as (
        select merchant_id, mode, lower(customer_email) as email, min(id::text) as first, max(id::text)::uuid as last,
          count(*) as payments
        from payment where ${idsBetween(ids)}
        group by merchant_id, mode, lower(customer_email)
      ),
      added as (
        insert into customer as known (id, merchant_id, mode, email, payments, last_payment_id)
        select overlay(first placing '8' from 15 for 1)::uuid, merchant_id, mode, email, payments, last from paid
        on conflict (merchant_id, mode, email) do update
          set payments = known.payments + excluded.payments, last_payment_id = excluded.last_payment_id
        returning id, merchant_id, mode, email, payments, last_payment_id
      )
      insert into search_record (id, merchant_id, list, words)
      select id, merchant_id, mode || ' customer', email from added
      on conflict do nothing`,
  );
}

/** How many large customers are counted in a run of the job. */
const countedPerRun = 20;

/** Counts the payments of customers who have too many to be counted whenever a list is read. */
export async function countLargeCustomers(context: Context): Promise<void> {
  for (let counted = 0; counted < countedPerRun; counted += 1) {
    if (!(await inTransaction(context, countNext))) return;
  }
}

async function countNext(context: WriteContext): Promise<boolean> {
  const [row] = await rowsOf<{ id: string; merchantId: string; mode: string; email: string }>(context)`
    select id, merchant_id as "merchantId", mode, email from customer
    where payments > ${largeCustomer} and (counted_at is null or counted_at < now() - interval '10 minutes')
    order by counted_at nulls first limit 1 for update skip locked`;
  if (!row) return false;
  await run(context)`
    update customer set counted_at = now(), figures = (
      select json_agg(counted) from (${countPayments(row, row.email)}) as counted
    ) where id = ${row.id}`;
  return true;
}
