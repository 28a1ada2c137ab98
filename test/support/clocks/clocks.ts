/** Sets clocks forward and back, as a machine does whose clock was wrong. */
import type { ExecutionContext } from 'ava';
import { createTestDatabase, type Database } from '../database/database.ts';

export interface DatabaseClock {
  database: Database;
  /** From now on the clock is wrong by this interval, such as `-1 hour`. */
  set(interval: string): Promise<void>;
}

/**
 * Creates a database whose clock can be set. Every connection that is opened from now on finds its functions `now` and
 * `clock_timestamp` before those of Postgres.
 */
export async function databaseWithClock(t: ExecutionContext): Promise<DatabaseClock> {
  const database = await createTestDatabase();
  t.teardown(() => database.drop());
  const set = async (interval: string) => {
    // In a language that Postgres does not inline, so that statements that are prepared already follow the change.
    for (const [name, volatility] of [
      ['now', 'stable'],
      ['clock_timestamp', 'volatile'],
    ])
      await database.query(`create or replace function public.${name}() returns timestamptz ${volatility} parallel safe
        language plpgsql as $$ begin return pg_catalog.${name}() + interval '${interval}'; end $$`);
  };
  await set('0');
  await database.query(
    `alter database ${new URL(database.url).pathname.slice(1)} set search_path = public, pg_catalog`,
  );
  return { database, set };
}

const SystemDate = globalThis.Date;

/**
 * Sets the clock of this process, with the server in it. Timers do not change, as on a machine whose clock is set.
 * Returns a function that sets another time, where 0 is the right one.
 */
export function processClock(t: ExecutionContext): (offsetMs: number) => void {
  t.teardown(() => {
    globalThis.Date = SystemDate;
  });
  return (offsetMs) => {
    globalThis.Date = class extends SystemDate {
      constructor(...given: unknown[]) {
        if (given.length === 0) super(SystemDate.now() + offsetMs);
        else super(...(given as [number]));
      }
      static override now(): number {
        return SystemDate.now() + offsetMs;
      }
    } as DateConstructor;
  };
}

/** The right time, whatever the clock of this process says. */
export const rightTimeMs = (): number => SystemDate.now();
