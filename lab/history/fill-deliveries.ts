import type { Client } from 'pg';
import { sampleEvent } from '../support/queued-deliveries.ts';

/** Of a hundred deliveries, one is skipped and four have failed. Of the hundred newest deliveries, one is pending. */
export async function fillDeliveries(database: Client, days: number): Promise<void> {
  await database.query(`
    create temporary table ending as
    select row_number() over (order by at) as number, * from (
      select merchant_id, mode, reference, updated_at as at,
        case status when 'completed' then 'checkout.success' when 'failed' then 'checkout.failed' else 'checkout.expired' end as name
      from payment where status <> 'pending'
      union all
      select merchant_id, mode, reference, updated_at, 'refund.success' from refund
      union all
      select merchant_id, mode, reference, updated_at, 'transfer.success' from transfer
    ) as each;
    create index on ending (at);
    analyze ending`);
  for (let day = days; day >= 0; day -= 1) await database.query(insertDay(day), [sampleEvent]);
  await database.query(`
    insert into pending_delivery (delivery_id, event_id, endpoint_id, is_retry, attempt_count, due_at)
    select id, event_id, endpoint_id, true, 1, created_at + interval '2 hours' from delivery where status = 'pending'`);
  await database.query(`
    update webhook_endpoint set success_count = 1000, last_delivered_at = now();
    drop table ending`);
}

const insertDay = (day: number) => `
  with happened as materialized (
    select ending.*, pg_temp.id_at(at, 'event', number) as id from ending cross join period
    where at > ends_at - interval '${day + 1} days' and at <= ends_at - interval '${day} days'
    order by at
  ),
  told as (
    insert into event (id, merchant_id, mode, name, reference, body, created_at, feed_position)
    select id, merchant_id, mode, name, reference, $1, at, number from happened
  ),
  sent as materialized (
    select pg_temp.id_at(at, 'delivery', number * 1000 + place) as id, happened.id as event_id, endpoint_id,
      happened.merchant_id, happened.mode, at, number + place * 17 as chance
    from happened join target on target.merchant_id = happened.merchant_id and target.mode = happened.mode
  ),
  judged as materialized (
    select *, case when chance % 100 = 0 then 'skipped' when chance % 100 <= 4 then 'failed'
      when chance % 100 = 5 and at > now() - interval '90 minutes' then 'pending' else 'delivered' end as status
    from sent
  ),
  tried as (
    insert into delivery_attempt (delivery_id, attempt, url, started_at, duration_ms, status_code, error, response_headers,
      response_body, response_truncated)
    select id, attempt, 'https://shop.example.com/hooks', at + (attempt - 1) * interval '15 minutes', 20 + chance % 200,
      case status when 'delivered' then 200 else 500 end, null, '{"content-type":"text/plain"}', 'ok', false
    from judged cross join generate_series(1, case status when 'failed' then 4 when 'skipped' then 0 else 1 end) as attempt
  )
  insert into delivery (id, event_id, endpoint_id, merchant_id, mode, status, status_reason, attempt_count, created_at,
    completed_at)
  select id, event_id, endpoint_id, merchant_id, mode, status,
    case status when 'failed' then 'attempts_exhausted' when 'skipped' then 'endpoint_inactive' end,
    case status when 'failed' then 4 when 'skipped' then 0 else 1 end, at,
    case when status <> 'pending' then at + interval '1 second' end
  from judged order by id`;
