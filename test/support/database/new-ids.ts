import { newId } from '@tillhook/server/src/kit/ids.ts';

/** Makes ascending ids for rows that a test inserts by SQL, because Postgres makes such ids only since version 18. */
export const newIds = (count: number): string[] => Array.from({ length: count }, newId);
