import type { Database } from '../support/database/database.ts';

/** One row in every `share` rows belongs to the merchant. */
const rows = 20_000;
const share = 8;
const hours = 30;

export interface Known {
  endpointId: string;
  eventId: string;
  reference: string;
}

/** Foreign keys and triggers are turned off, because they would take longer than the inserts. */
export async function fillLists({ query }: Database, merchantId: string): Promise<Known> {
  await query(`
    set local session_replication_role = replica;
    create temporary table given on commit drop as
    select g as number, at, md5('event ' || g)::uuid as random_id, case when g % ${share} = 0 then '${merchantId}'::uuid
        else md5('merchant ' || g % 97)::uuid end as merchant_id,
      (lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') || '70008' || substr(md5(g::text), 1, 15))::uuid as id
    from (select g, date_trunc('milliseconds', now() - interval '${hours} hours' * (1 - g / ${rows}.0)) as at
      from generate_series(1, ${rows}) as g) as row;
    ${payments} ${transfers} ${refunds} ${idempotencyKeys} ${events} ${deliveries} ${ledger}
    insert into audit_entry (id, merchant_id, mode, action, subject, user_email, created_at)
      select id, merchant_id, 'test', 'signIn', number::text, 'ada@example.com', at from given;`);
  // Postgres uses an index-only scan only where a vacuum has marked the pages of the table as visible to all.
  await query(
    `vacuum analyze payment, transfer, refund, idempotency_key, event, delivery, ledger_transaction, ledger_entry,
       audit_entry`,
  );
  const [known] = await query<Known>(
    `select endpoint_id as "endpointId", event_id as "eventId", event.reference from delivery
     join event on event.id = event_id where delivery.merchant_id = $1 limit 1`,
    [merchantId],
  );
  if (!known) throw new Error('No delivery was inserted for the merchant.');
  return known;
}

const payments = `
  insert into payment (id, merchant_id, mode, reference, access_code, amount, currency, status, customer_email, metadata,
    attempts, expires_at, created_at, updated_at)
  select id, merchant_id, 'test', 'order-' || number, id, number % 1000 + 1, 'NGN',
    case number / ${share} % 20 when 0 then 'failed' when 1 then 'expired' else 'completed' end,
    'customer' || number || '@example.com', '{}', 1, at, at, at from given;`;

const transfers = `
  insert into transfer (id, merchant_id, mode, reference, amount, fee, currency, status, recipient_name,
    account_number_last4, bank_code, created_at, updated_at)
  select id, merchant_id, 'test', 'order-' || number, 1, 0, 'NGN', 'completed', 'Ada', '1234', '058', at, at from given;`;

const refunds = `
  insert into refund (id, merchant_id, mode, payment_id, payment_reference, reference, amount, currency, status, metadata,
    origin, created_at, updated_at, completed_at, next_check_at)
  select id, merchant_id, 'test', id, 'order-' || number, 'refund-' || number, 1, 'NGN', 'completed', '{}', 'api', at, at,
    at, null from given;`;

/** A fifth of the rows is older than a day, and so expired. */
const idempotencyKeys = `
  insert into idempotency_key (merchant_id, mode, key, fingerprint, response, created_at)
  select merchant_id, 'test', 'key-' || number, '', '{}', at from given;`;

/** If all events had the same `feed_position`, Postgres would expect few rows on a page, and sort all rows of a day. */
const events = `
  insert into event (id, merchant_id, mode, name, reference, body, created_at, feed_position)
  select id, merchant_id, 'test', case number / ${share} % 20 when 0 then 'checkout.failed' else 'checkout.success' end,
    'order-' || number, repeat('x', 200), at, number / 100 from given;`;

const deliveries = `
  insert into delivery (id, event_id, endpoint_id, merchant_id, mode, status, status_reason, created_at)
  select id, id, md5('endpoint ' || number / ${share} % 8)::uuid, merchant_id, 'test',
    case number / ${share} % 20 when 0 then 'failed' else 'delivered' end,
    case number / ${share} % 20 when 0 then 'attempts_exhausted' end, at from given;`;

const ledger = `
  insert into ledger_account (id, merchant_id, mode, currency, kind, balance, entry_count)
  select merchant_id, merchant_id, 'test', 'NGN', 'collection', count(*), count(*) from given group by merchant_id;
  insert into ledger_transaction (id, merchant_id, mode, currency, kind, source_id, reference, created_at)
  select id, merchant_id, 'test', 'NGN', 'payment', id, 'order-' || number, at from given;
  insert into ledger_entry (id, transaction_id, account_id, number, type, amount, balance)
  select id, id, merchant_id, row_number() over (partition by merchant_id order by number), 'payment', 1, 1 from given;`;
