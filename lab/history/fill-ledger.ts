import type { Client } from 'pg';

/** Before each transfer, a top-up moves its amount and fee to the Transfer wallet, so that no balance is negative. */
export async function fillLedger(database: Client): Promise<void> {
  await database.query(`
    create temporary table posted as
    select md5(kind || source_id)::uuid as random_id, * from (
      select 'payment' as kind, id as source_id, merchant_id, mode, reference, amount, 0 as fee, completed_at as at
      from payment where status = 'completed'
      union all
      select kind, id, merchant_id, mode, reference, amount, 0, created_at + place * interval '1 second'
      from refund cross join (values ('refund_reserve', 0), ('refund_settle', 30)) as step (kind, place)
      union all
      select kind, case kind when 'top_up' then md5('top-up ' || id)::uuid else id end, merchant_id, mode,
        case kind when 'top_up' then 'top-up-' || reference else reference end, amount, fee,
        created_at + place * interval '1 second'
      from transfer cross join (values ('top_up', -1), ('transfer_reserve', 0), ('transfer_settle', 30)) as step (kind, place)
    ) as each`);
  await database.query(`
    create temporary table leg as
    select random_id, at, merchant_id, mode, place, account, type, case side when 'from' then -moved else moved end as amount
    from posted
    join (values
      ('payment', 1, 'processor_clearing', 'collection', 'payment', 1, 0),
      ('refund_reserve', 1, 'collection', 'refund_reserved', 'refund', 1, 0),
      ('refund_settle', 1, 'refund_reserved', 'processor_clearing', 'refund', 1, 0),
      ('top_up', 1, 'collection', 'transfer', 'top_up', 1, 1),
      ('transfer_reserve', 1, 'transfer', 'transfer_reserved', 'transfer', 1, 0),
      ('transfer_reserve', 2, 'transfer', 'transfer_reserved', 'fee', 0, 1),
      ('transfer_settle', 1, 'transfer_reserved', 'payout_clearing', 'transfer', 1, 0),
      ('transfer_settle', 2, 'transfer_reserved', 'fees', 'fee', 0, 1)
    ) as move (of, place, "from", "to", type, amounts, fees) on of = kind
    cross join lateral (values ('from', "from"), ('to', "to")) as leg (side, account)
    cross join lateral (select amounts * amount + fees * fee as moved) as counted`);
  await database.query(`
    insert into ledger_account (id, merchant_id, mode, currency, kind, balance, entry_count)
    select uuidv7(), merchant_id, mode, 'NGN', account, sum(amount), count(*) from leg group by merchant_id, mode, account`);
  await database.query(`
    insert into ledger_transaction (id, merchant_id, mode, currency, kind, source_id, reference, created_at)
    select (lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') || '70008' || substr(replace(random_id::text, '-', ''), 18))::uuid,
      merchant_id, mode, 'NGN', kind, source_id, reference, at
    from posted order by at`);
  await database.query(`
    insert into ledger_entry (id, transaction_id, account_id, number, type, amount, balance)
    select (prefix || '70009' || substr(md5(tail || place || account), 1, 15))::uuid, (prefix || '70008' || tail)::uuid,
      ledger_account.id, row_number() over following, type, amount, sum(amount) over following
    from (
      select *, lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') as prefix,
        substr(replace(random_id::text, '-', ''), 18) as tail
      from leg
    ) as leg
    join ledger_account on ledger_account.merchant_id = leg.merchant_id and ledger_account.mode = leg.mode and kind = account
    window following as (partition by ledger_account.id order by at, tail, place)
    order by at`);
  await database.query('drop table leg; drop table posted');
}
