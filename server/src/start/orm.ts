import { fileURLToPath } from 'node:url';
import { Migrator } from '@mikro-orm/migrations';
import { MikroORM } from '@mikro-orm/postgresql';
import type { Pool } from 'pg';
import { type DatabaseAccess, returnLostConnections } from '../platform/database/connection/connections.ts';

const source = fileURLToPath(new URL('../', import.meta.url));

export type PoolUsage = Pick<Pool, 'totalCount' | 'idleCount' | 'waitingCount'>;

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
      // The ORM reads only host, user, password and database from the URL, and ignores other parts, such as
      // `sslmode`.
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
      // In one transaction for all migrations, the locks of the first migration would last until the end of the last
      // migration.
      allOrNothing: false,
      // An applied migration is stored by the name of its file, so the file keeps its name.
      path: './platform/database/migrations',
      snapshot: false,
      silent: true,
    },
    forceUtcTimezone: true,
    // No relation has an inverse side. The ORM would define each property of each entity to keep both sides equal.
    propagationOnPrototype: false,
    debug: false,
  });
}
