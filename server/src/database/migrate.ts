import type { MikroORM } from '@mikro-orm/postgresql';
import { Client } from 'pg';

/** Any number will do: it makes processes that start at once migrate and seed one after the other. */
const migrationLock = 7_455_002;

/** Runs the work while no other process migrates or seeds the same database. The migrator itself takes no lock. */
export async function oneAtATime<Result>(databaseUrl: string, work: () => Promise<Result>): Promise<Result> {
  const client = new Client({ connectionString: databaseUrl });
  // Cut off while it waits or holds the lock, the next query says so; unheard, the event would end the process.
  client.on('error', () => {});
  await client.connect();
  try {
    await client.query('select pg_advisory_lock($1)', [migrationLock]);
    return await work();
  } finally {
    await client.end();
  }
}

/** Brings the schema up to date. Migrations only go forward. */
export async function migrate(orm: MikroORM): Promise<void> {
  await orm.migrator.up();
}

/** Whether the schema is the one that this version expects. */
export async function isMigrated(orm: MikroORM): Promise<boolean> {
  return (await orm.migrator.getPending()).length === 0;
}
