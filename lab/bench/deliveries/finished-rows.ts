import {
  addDays,
  createDaySql,
  type DailyTable,
  dailyTables,
  dayOf,
} from '@tillhook/server/src/platform/database/schema/daily-partitions.ts';
import type { Client } from 'pg';
import { sampleEvent } from '../../support/queued-deliveries.ts';

/** The default retention. With today and the next seven days, each table has 38 daily partitions. */
const days = 30;
/** The rows of one statement are limited, because Postgres holds them in memory. */
const batch = 50_000;

export async function fillWithFinished(database: Client, endpointIds: string[], total: number): Promise<void> {
  const today = dayOf(new Date());
  for (const table of Object.keys(dailyTables) as DailyTable[]) {
    await database.query(`drop table ${table}_before`);
    for (let day = days; day >= 1; day -= 1) await database.query(createDaySql(table, addDays(today, -day)));
  }
  for (let from = 1; from <= total; from += batch) {
    const numbers = [from, Math.min(from + batch - 1, total)];
    await database.query(insertFinished, [endpointIds, sampleEvent, total, ...numbers]);
  }
  await database.query('vacuum analyze event, delivery, delivery_attempt');
}

const insertFinished = `
  with finished as (
    select uuidv7(-age) as id, uuidv7(-age) as event_id, now() - age as at, webhook_endpoint.id as endpoint_id, merchant_id, mode
    from generate_series($4::int, $5::int) as n
    cross join make_interval(secs => ($3::int - n) * ${days} * 86400.0 / $3::int) as age
    join webhook_endpoint on webhook_endpoint.id = ($1::uuid[])[1 + n % cardinality($1::uuid[])]
  ),
  happened as (
    insert into event (id, merchant_id, mode, name, reference, body, created_at)
    select event_id, merchant_id, mode, 'checkout.success', 'order', $2, at from finished
  ),
  attempted as (
    insert into delivery_attempt (delivery_id, attempt, url, started_at, duration_ms, status_code, response_truncated)
    select id, 1, 'https://shop.example.com/webhooks', at, 20, 200, false from finished
  )
  insert into delivery (id, event_id, endpoint_id, merchant_id, mode, status, attempt_count, created_at, completed_at)
  select id, event_id, endpoint_id, merchant_id, mode, 'delivered', 1, at, at from finished`;
