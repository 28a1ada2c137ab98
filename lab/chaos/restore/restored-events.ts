/** Reads the feed of events, and compares it with the database, after a restore. */
import { Tillhook } from '@tillhook/sdk';
import type { Pool } from 'pg';
import type { Stage } from '../stage.ts';

interface Reader {
  url: string;
  key: string;
}

const pageSize = 100;

/** Reads the feed to its end, as a program does that continues after its last event. */
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

/** Returns whether the service refuses to continue the feed after a lost event. */
export async function refusesAfter(reader: Reader, lostEvent: string): Promise<boolean> {
  return readFeed(reader, lostEvent).then(
    () => false,
    (error) => error.status === 400,
  );
}

/** Returns the ids of the merchant's events, sorted. This order is nearly the order of insertion. */
export async function listEventIds(database: Pool, merchantId: string): Promise<string[]> {
  const { rows } = await database.query('select id from event where merchant_id = $1 order by id', [merchantId]);
  return rows.map(({ id }) => id);
}

/**
 * Returns the shift that is added to the feed positions of new events, and the number of events that are in no daily
 * partition.
 */
export async function readOrder({ database }: Stage): Promise<{ shift: number; withoutDay: number }> {
  const { rows } = await database.query(
    `select position_shift::float8 as shift, (select count(*)::int from event_other) as "withoutDay" from event_order`,
  );
  return rows[0];
}
