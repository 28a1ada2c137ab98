/** Only deliveries that have a lease in `pending_delivery` at the moment of a fault may be sent twice. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from 'pg';
import type { Bound } from './outcome.ts';
import type { Server } from './server.ts';
import type { Stage } from './stage.ts';

export interface ClaimedAtFaults {
  add(deliveryIds: readonly string[]): void;
  timesOf(deliveryId: string): number;
  bound(): Bound;
}

export function createClaimRecord(): ClaimedAtFaults {
  const times = new Map<string, number>();
  const sizes: number[] = [];
  return {
    add(deliveryIds) {
      sizes.push(deliveryIds.length);
      for (const id of deliveryIds) times.set(id, (times.get(id) ?? 0) + 1);
    },
    timesOf: (id) => times.get(id) ?? 0,
    bound() {
      const max = sizes.reduce((sum, size) => sum + size, 0);
      if (sizes.length === 0) return { max, because: 'no process that sends was killed' };
      return {
        max,
        because: `claimed at ${sizes.length} faults, ${Math.min(...sizes)} to ${Math.max(...sizes)} at each`,
      };
    },
  };
}

/** Records each lease with the application name of the connection, because a lease does not name its process. */
export async function recordLeaseHolders({ database, running }: Stage): Promise<void> {
  await database.query(`
    create table if not exists chaos_lease (lease uuid primary key, process text not null);
    create or replace function chaos_note_holder() returns trigger language plpgsql as $$
    begin
      insert into chaos_lease values (new.lease, current_setting('application_name')) on conflict do nothing;
      return null;
    end $$;
    create or replace trigger chaos_note_holder after insert or update on pending_delivery
      for each row when (new.lease is not null) execute function chaos_note_holder()`);
  running.defer(async () => {
    await database.query('drop trigger if exists chaos_note_holder on pending_delivery').catch(() => {});
  });
}

/** Returns the deliveries that the server has claimed. The list is exact only while the server is frozen. */
export async function claimedBy({ database }: Stage, { name }: Server): Promise<string[]> {
  return idsOf(
    database,
    'select delivery_id as id from pending_delivery join chaos_lease using (lease) where process = $1',
    [name],
  );
}

export async function claimedByAny({ database }: Stage): Promise<string[]> {
  return idsOf(database, 'select delivery_id as id from pending_delivery where lease is not null', []);
}

const settleMs = 50;

export async function waitUntilAnswered({ database }: Stage, servers: readonly Server[]): Promise<void> {
  if (servers.length === 0) return;
  const isBusy = async () => {
    const { rowCount } = await database.query(
      `select from pg_stat_activity
       where datname = current_database() and application_name = any($1) and state = 'active' limit 1`,
      [servers.map(({ name }) => name)],
    );
    return rowCount !== 0;
  };
  // A statement that a process sent just before it was frozen may not have reached Postgres yet.
  do await sleep(settleMs);
  while (await isBusy());
}

async function idsOf(database: Pool, sql: string, params: unknown[]): Promise<string[]> {
  const { rows } = await database.query(sql, params);
  return rows.map(({ id }) => id);
}
