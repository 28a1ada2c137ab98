/** What everything else stands on: a database that can be used, migrated and seeded, and the context made over it. */
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { MikroORM } from '@mikro-orm/postgresql';
import type { Config } from './config.ts';
import type { Context } from './context.ts';
import { type DatabaseAccess, longStatementMs, reachDatabase, withOrWithoutSettings } from './database/connections.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from './database/embedded.ts';
import { isMigrated, migrate, oneAtATime } from './database/migrate.ts';
import { atMost } from './kit/at-most.ts';
import { systemClock } from './kit/clock.ts';
import { createLogger } from './kit/logger.ts';
import { createSealer, type MasterKey, noSealer, type Sealer } from './kit/seal.ts';
import { readOrCreateSecret } from './kit/secret-file.ts';
import { createMetrics } from './metrics/metrics.ts';
import { openDatabase, type PoolUsage } from './orm.ts';
import { type DemoCredentials, seedDemo } from './seed.ts';
import { StartError } from './start-error.ts';

interface Ground {
  config: Config;
  publicUrl: string;
  /** Collects how to undo each step. */
  started: AsyncDisposableStack;
  /** How the embedded database is opened: a server starts it, a command visits it. */
  openEmbedded?: (config: Config) => Promise<EmbeddedPostgres>;
}

export interface Foundation {
  context: Context;
  orm: MikroORM;
  database: DatabaseAccess;
  /** Past any pooler: for LISTEN, and for migrations. */
  directDatabase: DatabaseAccess;
  /** The demo merchant's credentials, when it was made just now. */
  demo: DemoCredentials | null;
}

/** How long statements that are under way may hold up the end. */
const closeMs = 2000;

/** Throws a `StartError` for what the operator can mend. */
export async function layFoundation({ config, publicUrl, started, openEmbedded }: Ground): Promise<Foundation> {
  const databaseUrl = config.databaseUrl ?? (await embedded(config, started, openEmbedded));
  const metrics = createMetrics();
  const log = createLogger(config.logLevel);
  const reach = (url: string) => reachDatabase(url, config.databaseLimits, log);
  const database = reach(databaseUrl);
  const directDatabase = config.databaseDirectUrl ? reach(config.databaseDirectUrl) : database;
  const orm = await connect(database, config.databasePoolSize, (pool) => metrics.pool.from(() => usageOf(pool)));
  // It waits for its statements, which may be waiting for a database that does not answer, and for connections that Kysely
  // loses when they come while it closes.
  started.defer(() => atMost(closeMs, orm.close(true)));
  const context = { ...createContext(orm, config, publicUrl), metrics, log };
  const demo = await prepareDatabase(context, orm, directDatabase);
  return { context, orm, database, directDatabase, demo };
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

async function connect(
  database: DatabaseAccess,
  poolSize: number,
  onPool: (pool: PoolUsage) => void,
): Promise<MikroORM> {
  const orm = await openDatabase(database, poolSize, onPool);
  try {
    await withOrWithoutSettings(() => orm.em.fork().execute('select 1'));
    return orm;
  } catch (error) {
    await orm.close(true);
    const { host, pathname } = new URL(database.url);
    throw new StartError(
      `The database (${host}${pathname}) cannot be used: ${(error as Error).message.trim() || 'no answer'}`,
      { cause: error },
    );
  }
}

function usageOf({ totalCount, idleCount, waitingCount }: PoolUsage) {
  return { in_use: totalCount - idleCount, idle: idleCount, wanted: waitingCount };
}

function createContext(orm: MikroORM, config: Config, publicUrl: string): Omit<Context, 'metrics' | 'log'> {
  return {
    em: orm.em.fork(),
    config,
    clock: systemClock,
    sealer: sealerOf(config),
    publicUrl,
    bell: { ring() {} },
    payouts: { serves: () => false, ring() {} },
    processors: {},
  };
}

function sealerOf({ masterKeys, databaseUrl, dataDir }: Config): Sealer {
  return masterKeys || databaseUrl === undefined ? createSealer(masterKeys ?? [ownMasterKey(dataDir)]) : noSealer;
}

/** Only for the embedded database: the key lies beside the data that it protects. */
function ownMasterKey(dataDir: string): MasterKey {
  const key = readOrCreateSecret(join(dataDir, 'master-key'), () => randomBytes(32).toString('base64'));
  return { id: 'local', key: Buffer.from(key, 'base64') };
}

const notMigrated = 'The database is not migrated. Run npm run db:migrate, or set MIGRATE_ON_START=true.';

/** Over separate connections, on which a statement may take hours. */
async function migrateOver(database: DatabaseAccess): Promise<void> {
  const orm = await openDatabase(database, 1);
  try {
    await migrate(orm);
  } finally {
    await orm.close(true);
  }
}

async function prepareDatabase(context: Context, orm: MikroORM, directDatabase: DatabaseAccess) {
  const { migrateOnStart, seedDemo: seeds } = context.config;
  return oneAtATime(directDatabase, async () => {
    if (!(await isMigrated(orm))) {
      if (!migrateOnStart) throw new StartError(notMigrated);
      await migrateOver(directDatabase.within({ statementMs: longStatementMs }));
    }
    return seeds ? seedDemo(context) : null;
  });
}
