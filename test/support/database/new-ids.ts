import { newId } from '@tillhook/server/src/kit/ids.ts';

/**
 * Returns ids in ascending order, for rows that a test inserts by SQL. Postgres itself can make such ids only since
 * version 18.
 */
export const newIds = (count: number): string[] => Array.from({ length: count }, newId);
