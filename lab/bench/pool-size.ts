import { settings } from '@tillhook/server/src/config/config.ts';

/** The server's default number of database connections, which every contender uses. */
export const poolSize = settings.DATABASE_POOL_SIZE.parse(undefined);
