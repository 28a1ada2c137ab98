import { type RawBuilder, sql } from 'kysely';

/** The figures of customers with more payments are counted by a job; the condition of an index has the same number. */
export const largeCustomer = sql.lit(1_000);

/** The figures of a customer in one currency, as JSON and as a row. */
export interface CurrencyFigures {
  currency: string;
  payments: number;
  completed: number;
  amount: string;
  refunded: string;
  firstAt: string;
  lastAt: string;
}

export interface Owner {
  merchantId: string;
  mode: string;
}

/** `email` is in lower case, and may be a column. */
export function countPayments({ merchantId, mode }: Owner, email: string | RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    select currency, count(*)::int as payments, (count(*) filter (where status = 'completed'))::int as completed,
      coalesce(sum(amount) filter (where status = 'completed'), 0)::text as amount,
      coalesce(sum(amount_refunded), 0)::text as refunded,
      min(created_at) as "firstAt", max(created_at) as "lastAt"
    from payment
    where merchant_id = ${merchantId} and mode = ${mode} and lower(customer_email) = ${email}
    group by currency`;
}
