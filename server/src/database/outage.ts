const networkCodes = ['ECONNREFUSED', 'ECONNRESET', 'ETIMEDOUT', 'ENOTFOUND', 'EPIPE'];
/** SQLSTATE classes: connection exception, too little of something such as connections, intervention such as a shutdown. */
const outageClasses = ['08', '53', '57'];
/** The server ended a connection that was idle in a transaction, or whose transaction took too long. */
const endedCodes = ['25P03', '25P04'];
/** A primary that became a standby, and is still asked until its name leads elsewhere. */
const readOnly = '25006';
/** A statement, or waiting for a lock, took too long. The database itself answers. */
const slowCodes = ['57014', '55P03'];
/** Serialization failure, deadlock. */
const lostCodes = ['40001', '40P01'];
/** A prepared statement is not there; another has its name. */
const statementCodes = ['26000', '42P05'];
const silence = 'Query read timeout';
const driverMessages = [
  'Connection terminated',
  'timeout exceeded when trying to connect',
  'timeout expired',
  'Client has encountered a connection error',
  'Client was closed',
  silence,
];

interface Failure {
  code?: unknown;
  message?: string;
  /** What the ORM or a library found underneath. */
  previous?: unknown;
  cause?: unknown;
}

/** Whether a failure means that the database cannot be reached now, rather than that a statement is wrong. */
export function isDatabaseAway(error: unknown): boolean {
  return isOrHides(error, ({ code, message }) => {
    if (typeof code === 'string' && meansOutage(code)) return true;
    return driverMessages.some((start) => message?.startsWith(start));
  });
}

/** Whether the database answered that something took too long: a statement, or waiting for another transaction's lock. */
export function isTooSlow(error: unknown): boolean {
  return isOrHides(error, ({ code }) => slowCodes.includes(String(code)));
}

/** Whether the same call may well succeed in a moment: the database is away, or was too slow. */
export function isOutage(error: unknown): boolean {
  return isDatabaseAway(error) || isTooSlow(error);
}

/** Choice: one second, because most outages are one lost connection, and clients wait longer with each retry. */
export const outageRetrySeconds = 1;

/** Whether a statement got no answer at all within its time. */
export function isSilence(error: unknown): boolean {
  return (error as Failure | null)?.message === silence;
}

/** Whether Postgres ended a transaction so that another could go on. The same again is likely to succeed. */
export function isLostToAnother(error: unknown): boolean {
  return lostCodes.includes(String((error as Failure | null)?.code));
}

/** Whether a statement could not be run by its name. Nothing was executed, and the same statement without a name will work. */
export function isStatementLost(error: unknown): boolean {
  return statementCodes.includes(String((error as Failure | null)?.code));
}

/** Whether a pooler refused a connection for the settings that came with it. */
export function refusesSettings(error: unknown): boolean {
  return isOrHides(error, ({ message }) => message?.includes('unsupported startup parameter') === true);
}

function isOrHides(error: unknown, is: (failure: Failure) => boolean): boolean {
  const failure = (error ?? {}) as Failure;
  if (is(failure)) return true;
  const inner = failure.previous ?? failure.cause;
  return inner !== undefined && inner !== error && isOrHides(inner, is);
}

function meansOutage(code: string): boolean {
  if ([...networkCodes, ...endedCodes, readOnly].includes(code)) return true;
  return code.length === 5 && !slowCodes.includes(code) && outageClasses.includes(code.slice(0, 2));
}
