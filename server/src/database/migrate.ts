import { setTimeout as sleep } from 'node:timers/promises';
import type { MikroORM } from '@mikro-orm/postgresql';
import type { Client } from 'pg';
import { StartError } from '../start-error.ts';
import { type DatabaseAccess, withOrWithoutSettings } from './connections.ts';

/**
 * Any number will do: it makes processes that start at once migrate and seed one after the other. Not the number of the first
 * versions: they wait for it inside a statement, and an index that is built concurrently would wait for that statement.
 */
const migrationLock = 7_455_004;
const lockPauseMs = 100;

const maxTries = 10;
const triesPauseMs = 500;
/** Lock not available, deadlock: somebody is using a table that is to be altered. */
const inTheWay = ['55P03', '40P01'];

/**
 * Runs the work while no other process migrates or seeds the same database. The migrator itself takes no lock. The lock is a
 * transaction's and not a session's, because a pooler would lend the session to others, with the lock.
 * See docs/decisions/database.md, "The lock of migrations belongs to a transaction".
 */
export async function oneAtATime<Result>(database: DatabaseAccess, work: () => Promise<Result>): Promise<Result> {
  const client = await withOrWithoutSettings(() => connect(database));
  try {
    // Tried again and again: an index that is built concurrently waits for every running statement. One that waits for this
    // lock would stop the process that builds the index and has the lock.
    while (!(await tryLock(client))) await sleep(lockPauseMs);
    return await work();
  } finally {
    await client.end();
  }
}

async function connect(database: DatabaseAccess): Promise<Client> {
  const client = database.openClient();
  await client.connect();
  return client;
}

/** With the lock, its transaction stays open for as long as the work may take. */
async function tryLock(client: Client): Promise<boolean> {
  await client.query('begin');
  await client.query('set local idle_in_transaction_session_timeout = 0');
  // Without parameters: those would leave a portal open with its snapshot, which an index built concurrently waits for.
  const { rows } = await client.query(`select pg_try_advisory_xact_lock(${migrationLock}) as free`);
  if (!rows[0].free) await client.query('rollback');
  return rows[0].free;
}

/**
 * Brings the schema up to date. Migrations only go forward, each by itself, and one that finds its tables in use lets those
 * who use them go first.
 */
export async function migrate(orm: MikroORM, { tries = maxTries } = {}): Promise<void> {
  for (let left = tries - 1; ; left -= 1) {
    try {
      await orm.migrator.up();
      return;
    } catch (error) {
      if (!inTheWay.includes((error as { code?: string }).code ?? '')) throw error;
      if (left <= 0) throw await tooBusy(orm, error);
    }
    await sleep(triesPauseMs);
  }
}

async function tooBusy(orm: MikroORM, cause: unknown): Promise<StartError> {
  const [next] = await orm.migrator.getPending();
  return new StartError(
    `The database is too busy for the migration ${next?.name}: a long transaction uses a table that it alters. What came before it is done; start again to go on.`,
    { cause },
  );
}

/** Whether the schema is the one that this version expects. */
export async function isMigrated(orm: MikroORM): Promise<boolean> {
  return (await orm.migrator.getPending()).length === 0;
}
