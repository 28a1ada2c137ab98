import { newId } from '@tillhook/server/src/kit/ids.ts';

/** Ids in their order, for rows that a test inserts by SQL. Postgres makes such ids itself only from version 18 on. */
export const newIds = (count: number): string[] => Array.from({ length: count }, newId);
