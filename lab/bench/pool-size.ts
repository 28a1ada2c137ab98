import { settings } from '@tillhook/server/src/config/config.ts';

/** The number of database connections of each contender, which is the server's default. */
export const poolSize = settings.DATABASE_POOL_SIZE.parse(undefined);
