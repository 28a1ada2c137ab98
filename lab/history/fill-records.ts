import type { Client } from 'pg';

const customers = 50_000;

/** The random part of a UUID depends on a kind and a number, so that rows of several tables can refer to each other. */
export async function createPeriod(database: Client, payments: number): Promise<void> {
  await database.query(`
    create function pg_temp.id_at(at timestamptz, kind text, number bigint) returns uuid immutable language sql
    return (lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') || '70008'
      || substr(md5(kind || number), 1, 15))::uuid`);
  await database.query(`
    create temporary table period as
    select ${payments}::bigint as payments, date_trunc('milliseconds', now()) as ends_at`);
}

export async function fillRecords(database: Client, payments: number, days: number): Promise<void> {
  await database.query(`
    create temporary table given as
    select row.number, merchant_id, mode, at, pg_temp.id_at(at, 'payment', row.number) as id,
      10000 + row.number % 9000 as amount,
      case when at > ends_at - interval '20 hours' and row.number % 50 = 1 then 'pending'
        else case (row.number / 3) % 20 when 0 then 'failed' when 1 then 'expired' else 'completed' end end as status
    from (
      select number, ends_at, case when (number / 7) % 10 = 0 then 'live' else 'test' end as mode,
        case when number % 10 < 6 then 1 else 2 + (number / 10) % (select count(*) - 1 from owner) end as owner,
        date_trunc('milliseconds', ends_at - interval '${days} days' * (1 - number / payments::float8) - interval '61 seconds') as at
      from period cross join generate_series(1, ${payments}) as number
    ) as row join owner on owner.number = owner`);
  await database.query('create index on given (number)');
  await database.query('analyze given');
  await database.query(`
    insert into payment (id, merchant_id, mode, reference, access_code, amount, currency, status, customer_email, metadata,
      attempts, payment_method, failure_code, failure_message, expiry_reason, expires_at, completed_at, created_at,
      updated_at, amount_refunded)
    select id, merchant_id, mode, 'order-' || number, md5('access ' || number)::uuid, amount, 'NGN', status,
      'customer' || number % ${customers} || '@example.com', '{}', 1,
      '{"type":"card","brand":"visa","last4":"4242"}',
      case status when 'failed' then 'card_declined' end, case status when 'failed' then 'The card was declined' end,
      case status when 'expired' then 'expired' end, at + interval '1 day',
      case status when 'completed' then at + interval '1 minute' end, at, at + interval '1 minute',
      case when number % 47 = 3 and status = 'completed' then amount / 2 else 0 end
    from given order by number`);
  await database.query(`
    insert into payment_attempt (id, payment_id, number, brand, last4, outcome, failure_code, started_at, settled_at,
      next_check_at)
    select pg_temp.id_at(at, 'attempt', number), id, 1, 'visa', '4242', case status when 'completed' then 'paid' else 'declined' end,
      case status when 'failed' then 'card_declined' end, at, at + interval '1 minute', null
    from given where status <> 'pending' order by number`);
  await database.query(`
    insert into refund (id, merchant_id, mode, payment_id, payment_reference, reference, amount, currency, status, metadata,
      origin, created_at, updated_at, completed_at, next_check_at)
    select pg_temp.id_at(at + interval '2 minutes', 'refund', number), merchant_id, mode, id, 'order-' || number,
      'refund-' || number, amount / 2, 'NGN', 'completed', '{}', 'api', at + interval '2 minutes', at + interval '3 minutes',
      at + interval '3 minutes', null
    from given where number % 47 = 3 and status = 'completed' and at < (select ends_at from period) - interval '4 minutes' order by number`);
  await database.query(`
    update payment set amount_refunded = 0 where amount_refunded > 0 and created_at >= (select ends_at from period) - interval '4 minutes'`);
  await database.query(`
    insert into transfer (id, merchant_id, mode, reference, amount, fee, currency, status, recipient_name,
      account_number_last4, bank_code, created_at, updated_at, completed_at, next_check_at)
    select pg_temp.id_at(at, 'transfer', number), merchant_id, mode, 'payout-' || number, 100, 5, 'NGN', 'completed', 'Ada',
      '1234', '058', at, at + interval '1 minute', at + interval '1 minute', null
    from given where number % 19 = 2 and number > (select payments / 10 from period) order by number`);
  await database.query(`
    insert into audit_entry (id, merchant_id, mode, action, subject, user_email, created_at)
    select pg_temp.id_at(at, 'audit', number), merchant_id, 'test', 'resendDelivery', 'order-' || number, 'ada@example.com', at
    from given where number % 9 = 4 order by number`);
  await database.query(`
    insert into idempotency_key (merchant_id, mode, key, fingerprint, response, created_at)
    select merchant_id, mode, 'key-' || number, '\\x00', '{}', now() - interval '30 hours' * (1 - number / payments::float8)
    from given cross join period where number % 10 = 5;
    insert into processor_event (processor, id, received_at)
    select 'stripe', 'evt_' || number, at from given where number % 10 = 6`);
  await database.query('analyze payment, refund, transfer');
}
