import { fileURLToPath } from 'node:url';
import { Migrator } from '@mikro-orm/migrations';
import { MikroORM } from '@mikro-orm/postgresql';
import type { Pool } from 'pg';
import { type DatabaseAccess, returnLostConnections } from '../platform/database/connection/connections.ts';

/** The folder in which the ORM looks for entities and migrations. */
const source = fileURLToPath(new URL('../', import.meta.url));

/** The use of the pool's connections. */
export type PoolUsage = Pick<Pool, 'totalCount' | 'idleCount' | 'waitingCount'>;

/** Opens the ORM for a database. It sends no query yet. */
export function openOrm(
  { url: clientUrl, settings }: DatabaseAccess,
  poolSize: number,
  onPool: (pool: PoolUsage) => void = () => {},
): Promise<MikroORM> {
  return MikroORM.init({
    clientUrl,
    baseDir: source,
    entities: ['./**/*.entity.ts'],
    pool: { min: 0, max: poolSize },
    driverOptions: {
      ...settings,
      // The ORM reads host, user, password and database from the address, and ignores all else, such as `sslmode`.
      connectionString: clientUrl,
      onPoolCreated(pool: Pool) {
        settings.onPoolCreated(pool);
        returnLostConnections(pool);
        onPool(pool);
      },
    },
    extensions: [Migrator],
    migrations: {
      tableName: 'migration',
      // One transaction for each migration. In a common transaction, the locks of the first would last until the end of
      // the last.
      allOrNothing: false,
      // The name of a migration in the database is the name of its file, and the names are the order.
      path: './platform/database/migrations',
      snapshot: false,
      silent: true,
    },
    forceUtcTimezone: true,
    debug: false,
  });
}
