/** Runs the migrations of `../migrations/`. The ORM finds each file of that folder by its name. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { MikroORM } from '@mikro-orm/postgresql';
import type { Client } from 'pg';
import { StartError } from '../../../kit/errors.ts';
import { type DatabaseAccess, withOrWithoutSettings } from '../connection/connections.ts';
import { giveWayPauseMs, giveWayTries, isTableInUse } from './give-way.ts';

/**
 * Differs from the lock number of the first versions. Their processes wait for the lock inside a statement, and an
 * index that is built concurrently would wait for that statement.
 */
const migrationLock = 7_455_004;
const lockPauseMs = 100;

/**
 * A pooler would lend a session, with its locks, to other clients, so the lock belongs to a transaction.
 * See docs/decisions/database.md, "The lock of migrations belongs to a transaction".
 */
export async function withMigrationLock<Result>(
  database: DatabaseAccess,
  work: () => Promise<Result>,
): Promise<Result> {
  const client = await withOrWithoutSettings(() => connect(database));
  try {
    // An index that is built concurrently waits for every running statement. So no statement may wait for the lock of
    // migrations, whose holder may build an index.
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

/** If the lock is free, the transaction stays open without a time limit. */
async function tryLock(client: Client): Promise<boolean> {
  await client.query('begin');
  await client.query('set local idle_in_transaction_session_timeout = 0');
  // Parameters would leave a portal open, whose snapshot would block an index that is built concurrently.
  const { rows } = await client.query(`select pg_try_advisory_xact_lock(${migrationLock}) as free`);
  if (!rows[0].free) await client.query('rollback');
  return rows[0].free;
}

/** A migration whose tables are in use fails soon and is retried. */
export async function migrate(orm: MikroORM, { tries = giveWayTries } = {}): Promise<void> {
  for (let left = tries - 1; ; left -= 1) {
    try {
      await orm.migrator.up();
      return;
    } catch (error) {
      if (!isTableInUse(error)) throw error;
      if (left <= 0) throw await tooBusy(orm, error);
    }
    await sleep(giveWayPauseMs);
  }
}

async function tooBusy(orm: MikroORM, cause: unknown): Promise<StartError> {
  const [next] = await orm.migrator.getPending();
  return new StartError(
    `The database is too busy for the migration ${next?.name}: a long transaction uses a table that it alters. The migrations before it are done. Start again to go on.`,
    { cause },
  );
}

export async function isMigrated(orm: MikroORM): Promise<boolean> {
  return (await orm.migrator.getPending()).length === 0;
}
