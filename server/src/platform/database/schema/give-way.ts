/**
 * SQL that is run before a statement that alters a table in use. While such a statement waits for its lock, all later
 * statements on the table wait behind it. With this limit, the statement fails after a tenth of a second, and the
 * caller retries after a longer pause. So a long transaction of another client does not stop the service: most calls
 * do not wait, and the other calls wait only for a moment.
 *
 * About one try of ten waits for longer than `deadlock_timeout`, which is a second: only then does Postgres end an
 * autovacuum that holds the table, and on a large table an autovacuum may run for an hour.
 * See docs/decisions/database.md, "A change of a table waits for a tenth of a second at a time".
 */
export const giveWay = `
  select set_config('lock_timeout', case when random() < 0.1 then '1200ms' else '100ms' end, true);`;

/** The pause after a failed try. It is long enough for the statements that have waited behind the try. */
export const giveWayPauseMs = 400;

/** The maximum number of tries of a change. So many tries take a little more than half a minute. */
export const giveWayTries = 60;

/** SQLSTATE: lock not available, deadlock. Another transaction uses the table. */
const blockedCodes = ['55P03', '40P01'];

export const isTableInUse = (error: unknown): boolean => blockedCodes.includes((error as { code?: string }).code ?? '');
