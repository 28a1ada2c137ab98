/** Opens the database of a process and migrates it. */
import type { MikroORM } from '@mikro-orm/postgresql';
import type { Config } from '../config/config.ts';
import { StartError } from '../kit/errors.ts';
import type { Logger } from '../kit/logger.ts';
import { atMost } from '../kit/time-limits.ts';
import {
  type DatabaseAccess,
  longStatementMs,
  reachDatabase,
  withOrWithoutSettings,
} from '../platform/database/connection/connections.ts';
import { isOrderOfThisCluster, shiftPositions } from '../platform/database/schema/event-order.ts';
import { isMigrated, migrate, withMigrationLock } from '../platform/database/schema/migrate.ts';
import type { Metrics } from '../telemetry/metrics/metrics.ts';
import { openOrm, type PoolUsage } from './orm.ts';

interface DatabaseSettings {
  config: Config;
  databaseUrl: string;
  log: Logger;
  metrics: Pick<Metrics, 'pool'>;
  /** Collects the functions that undo each step. */
  started: AsyncDisposableStack;
  /** Called with a sentence about each step that takes long. */
  onStep?: ((text: string) => void) | undefined;
}

export interface Database {
  orm: MikroORM;
  access: DatabaseAccess;
  /** Access without a pooler, for LISTEN and for migrations. */
  directAccess: DatabaseAccess;
}

/** The maximum time that the stop waits for running statements. */
const closeMs = 2000;

/** Opens and migrates the database. Throws a `StartError` for problems that the operator can solve. */
export async function openDatabase(settings: DatabaseSettings): Promise<Database> {
  const { config, databaseUrl, log, metrics, started, onStep } = settings;
  const reach = (url: string) => reachDatabase(url, config.databaseLimits, log);
  const access = reach(databaseUrl);
  const directAccess = config.databaseDirectUrl ? reach(config.databaseDirectUrl) : access;
  const orm = await connect(access, config.databasePoolSize, (pool) =>
    metrics.pool.from(() => usageOf(pool, config.databasePoolSize)),
  );
  // The time is limited, because closing waits for statements, even when the database does not answer, and for
  // connections that Kysely loses when they open during the closing.
  started.defer(() => atMost(closeMs, orm.close(true)));
  await withMigrationLock(directAccess, () => migrateIfNeeded(orm, directAccess, { config, log, onStep }));
  return { orm, access, directAccess };
}

async function connect(access: DatabaseAccess, poolSize: number, onPool: (pool: PoolUsage) => void): Promise<MikroORM> {
  const orm = await openOrm(access, poolSize, onPool);
  try {
    await withOrWithoutSettings(() => orm.em.fork().execute('select 1'));
    return orm;
  } catch (error) {
    await orm.close(true);
    const { host, pathname } = new URL(access.url);
    throw new StartError(
      `The database (${host}${pathname}) cannot be used: ${(error as Error).message.trim() || 'no answer'}`,
      { cause: error },
    );
  }
}

/**
 * Returns the number of the pool's connections in use, the number of idle connections, and the number of queries that
 * wait for a connection although none is free. A query also waits in the queue of the pool for a moment when a
 * connection is free. Such a query is not counted, because each reading of `/metrics` makes such queries itself.
 */
function usageOf({ totalCount, idleCount, waitingCount }: PoolUsage, size: number) {
  const freePlaces = idleCount + size - totalCount;
  return { in_use: totalCount - idleCount, idle: idleCount, wanted: Math.max(0, waitingCount - freePlaces) };
}

const notMigrated = 'The database is not migrated. Run npm run db:migrate, or set MIGRATE_ON_START=true.';

const restored =
  'The database was restored in another cluster of Postgres. Run npm run db:migrate, or set MIGRATE_ON_START=true.';

async function migrateIfNeeded(
  orm: MikroORM,
  directAccess: DatabaseAccess,
  { config: { migrateOnStart }, log, onStep }: Pick<DatabaseSettings, 'config' | 'log' | 'onStep'>,
): Promise<void> {
  const wasMigrated = await isMigrated(orm);
  if (wasMigrated && (await isOrderOfThisCluster(orm, log))) return;
  if (!migrateOnStart) throw new StartError(wasMigrated ? restored : notMigrated);
  onStep?.('The tables are being brought up to date');
  // The migration uses separate connections, on which a statement may take hours.
  const migrating = await openOrm(directAccess.withLimits({ statementMs: longStatementMs }), 1);
  try {
    await migrate(migrating);
    if (!(await isOrderOfThisCluster(migrating, log))) await shiftPositions(migrating);
  } finally {
    await migrating.close(true);
  }
}
