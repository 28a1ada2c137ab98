/**
 * Stands before a statement that alters a table in use. While such a statement waits for its lock, all later statements
 * on the table wait behind it. With this limit it fails after a tenth of a second, and the caller tries again after a
 * pause that is longer. So a long transaction of another does not stop the service: its calls wait for a moment, and
 * most of them not at all.
 *
 * About one try of ten waits for longer than `deadlock_timeout`, which is a second: only then does Postgres end an
 * autovacuum that is in the way, and on a large table one may run for an hour.
 * See docs/decisions/database.md, "A change of a table waits for a tenth of a second at a time".
 */
export const giveWay = `
  select set_config('lock_timeout', case when random() < 0.1 then '1200ms' else '100ms' end, true);`;

/** The pause after a try that failed. Long enough for the statements that have waited behind it. */
export const giveWayPauseMs = 400;

/** How often a change is tried: for half a minute in all, and a little more. */
export const giveWayTries = 60;

/** SQLSTATE: lock not available, deadlock. Another transaction uses the table. */
const blockedCodes = ['55P03', '40P01'];

export const isTableInUse = (error: unknown): boolean => blockedCodes.includes((error as { code?: string }).code ?? '');
