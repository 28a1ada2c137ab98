/**
 * While a statement that alters a table waits for its lock, all later statements on the table wait behind it. One of
 * ten tries waits longer than `deadlock_timeout`, because only then does Postgres end an autovacuum that holds the
 * table.
 * See docs/decisions/database.md, "A change of a table waits for a tenth of a second at a time".
 */
export const giveWay = `
  select set_config('lock_timeout', case when random() < 0.1 then '1200ms' else '100ms' end, true);`;

/** The pause is long enough for the statements that have waited behind the failed try. */
export const giveWayPauseMs = 400;

/** This many tries take a little more than half a minute. */
export const giveWayTries = 60;

/** SQLSTATE: lock not available, deadlock. */
const blockedCodes = ['55P03', '40P01'];

export const isTableInUse = (error: unknown): boolean => blockedCodes.includes((error as { code?: string }).code ?? '');
