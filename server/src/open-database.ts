/** The database of a process: the configured one or the embedded one, reached, opened and migrated. */
import type { MikroORM } from '@mikro-orm/postgresql';
import type { Config } from './config.ts';
import { type DatabaseAccess, longStatementMs, reachDatabase, withOrWithoutSettings } from './database/connections.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from './database/embedded.ts';
import { isMigrated, migrate, oneAtATime } from './database/migrate.ts';
import { atMost } from './kit/at-most.ts';
import type { Logger } from './kit/logger.ts';
import type { Metrics } from './metrics/metrics.ts';
import { openOrm, type PoolUsage } from './orm.ts';
import { StartError } from './start-error.ts';

interface DatabaseSettings {
  config: Config;
  log: Logger;
  metrics: Pick<Metrics, 'pool'>;
  /** Collects how to undo each step. */
  started: AsyncDisposableStack;
  /** How the embedded database is opened: a server starts it, a command visits it. */
  openEmbedded?: (config: Config) => Promise<EmbeddedPostgres>;
}

export interface Database {
  orm: MikroORM;
  access: DatabaseAccess;
  /** Past any pooler: for LISTEN, and for migrations. */
  directAccess: DatabaseAccess;
}

/** How long statements that are under way may hold up the end. */
const closeMs = 2000;

/** Throws a `StartError` for what the operator can mend. */
export async function openDatabase(settings: DatabaseSettings): Promise<Database> {
  const { config, log, metrics, started, openEmbedded } = settings;
  const databaseUrl = config.databaseUrl ?? (await embedded(config, started, openEmbedded));
  const reach = (url: string) => reachDatabase(url, config.databaseLimits, log);
  const access = reach(databaseUrl);
  const directAccess = config.databaseDirectUrl ? reach(config.databaseDirectUrl) : access;
  const orm = await connect(access, config.databasePoolSize, (pool) => metrics.pool.from(() => usageOf(pool)));
  // It waits for its statements, which may be waiting for a database that does not answer, and for connections that Kysely
  // loses when they come while it closes.
  started.defer(() => atMost(closeMs, orm.close(true)));
  await oneAtATime(directAccess, () => migrateIfNeeded(orm, directAccess, config));
  return { orm, access, directAccess };
}

const startEmbedded = ({ dataDir, databaseLimits: limits }: Config) => startEmbeddedPostgres(dataDir, { limits });

async function embedded(config: Config, started: AsyncDisposableStack, open = startEmbedded): Promise<string> {
  try {
    const postgres = await open(config);
    started.defer(() => postgres.stop());
    return postgres.url;
  } catch (error) {
    throw new StartError(`The embedded database does not start: ${(error as Error).message}`, { cause: error });
  }
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

function usageOf({ totalCount, idleCount, waitingCount }: PoolUsage) {
  return { in_use: totalCount - idleCount, idle: idleCount, wanted: waitingCount };
}

const notMigrated = 'The database is not migrated. Run npm run db:migrate, or set MIGRATE_ON_START=true.';

async function migrateIfNeeded(orm: MikroORM, directAccess: DatabaseAccess, { migrateOnStart }: Config): Promise<void> {
  if (await isMigrated(orm)) return;
  if (!migrateOnStart) throw new StartError(notMigrated);
  // Over separate connections, on which a statement may take hours.
  const migrating = await openOrm(directAccess.within({ statementMs: longStatementMs }), 1);
  try {
    await migrate(migrating);
  } finally {
    await migrating.close(true);
  }
}
