import { Tillhook } from '@tillhook/sdk';
import type { Pool } from 'pg';
import type { Stage } from '../stage.ts';

interface Reader {
  url: string;
  key: string;
}

const pageSize = 100;

export async function readFeed({ url, key }: Reader, after?: string): Promise<string[]> {
  const client = new Tillhook(key, { baseUrl: url, timeoutMs: 10_000 });
  const ids: string[] = [];
  for (;;) {
    const place = ids.at(-1) ?? after;
    const page = await client.events.list({ order: 'asc', limit: pageSize, ...(place && { after: place }) });
    ids.push(...page.events.map(({ id }) => id));
    if (page.events.length === 0) return ids;
  }
}

export async function refusesAfter(reader: Reader, lostEvent: string): Promise<boolean> {
  return readFeed(reader, lostEvent).then(
    () => false,
    (error) => error.status === 400,
  );
}

export async function listEventIds(database: Pool, merchantId: string): Promise<string[]> {
  const { rows } = await database.query('select id from event where merchant_id = $1 order by id', [merchantId]);
  return rows.map(({ id }) => id);
}

export async function readOrder({ database }: Stage): Promise<{ shift: number; withoutDay: number }> {
  const { rows } = await database.query(
    `select position_shift::float8 as shift, (select count(*)::int from event_other) as "withoutDay" from event_order`,
  );
  return rows[0];
}
