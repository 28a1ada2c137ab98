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
  started: AsyncDisposableStack;
  /** Called with a sentence about each step that takes long. */
  onStep?: ((text: string) => void) | undefined;
}

export interface Database {
  orm: MikroORM;
  access: DatabaseAccess;
  directAccess: DatabaseAccess;
}

const closeMs = 2000;

export async function openDatabase(settings: DatabaseSettings): Promise<Database> {
  const { config, databaseUrl, log, metrics, started, onStep } = settings;
  const reach = (url: string) => reachDatabase(url, config.databaseLimits, log);
  const access = reach(databaseUrl);
  const directAccess = config.databaseDirectUrl ? reach(config.databaseDirectUrl) : access;
  const orm = await connect(access, config.databasePoolSize, (pool) =>
    metrics.pool.from(() => usageOf(pool, config.databasePoolSize)),
  );
  // The time is limited, because closing waits for statements of a database that does not answer, and for connections
  // that Kysely loses.
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
 * A query waits for a moment even when a connection is free. So only queries beyond the free connections are counted:
 * each reading of `/metrics` makes queries itself.
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
  const migrating = await openOrm(directAccess.withLimits({ statementMs: longStatementMs }), 1);
  try {
    await migrate(migrating);
    if (!(await isOrderOfThisCluster(migrating, log))) await shiftPositions(migrating);
  } finally {
    await migrating.close(true);
  }
}
