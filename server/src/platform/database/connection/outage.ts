const networkCodes = ['ECONNREFUSED', 'ECONNRESET', 'ETIMEDOUT', 'ENOTFOUND', 'EPIPE'];
/** The certificate of the database cannot be trusted, for example because it has expired. */
const certificateCodes = [
  'CERT_HAS_EXPIRED',
  'CERT_NOT_YET_VALID',
  'CERT_REVOKED',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'ERR_TLS_CERT_ALTNAME_INVALID',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
];
/**
 * SQLSTATE classes: connection exception, wrong credentials such as a password that was changed, insufficient
 * resources such as connections or space, operator intervention such as a shutdown.
 */
const outageClasses = ['08', '28', '53', '57'];
/** The server ended a connection that was idle in a transaction, or whose transaction took too long. */
const endedCodes = ['25P03', '25P04'];
/**
 * SQLSTATE of a write to a standby. A primary became a standby, and its host name does not lead to the new primary yet.
 */
const readOnly = '25006';
/** SQLSTATE: the disk is full. */
const diskFull = '53100';
/** SQLSTATE: a statement, or waiting for a lock, took too long. The database itself answers. */
const slowCodes = ['57014', '55P03'];
/** SQLSTATE: serialization failure, deadlock. */
const conflictCodes = ['40001', '40P01'];
/** SQLSTATE: a prepared statement does not exist, or another one has its name. */
const statementCodes = ['26000', '42P05'];
export const readTimeout = 'Query read timeout';
/** The pool has no free connection, and a connection does not open. */
export const waitTimeout = 'timeout exceeded when trying to connect';
export const connectTimeout = 'timeout expired';
/** The pool itself has closed a connection that did not open. */
const closedTimeout = 'Connection terminated due to connection timeout';
const driverMessages = [
  'Connection terminated',
  waitTimeout,
  connectTimeout,
  'Client has encountered a connection error',
  'Client was closed',
  readTimeout,
];

interface Failure {
  code?: unknown;
  message?: string;
  /** The error that the ORM or a library wrapped. */
  previous?: unknown;
  cause?: unknown;
}

/** Whether a failure means that the database cannot be reached now, rather than that a statement is wrong. */
export function isDatabaseAway(error: unknown): boolean {
  return isOrWraps(error, ({ code, message }) => {
    if (typeof code === 'string' && meansOutage(code)) return true;
    return driverMessages.some((start) => message?.startsWith(start));
  });
}

/**
 * Whether the database answered that something took too long: a statement, or waiting for another transaction's lock.
 */
export function isTooSlow(error: unknown): boolean {
  return isOrWraps(error, ({ code }) => slowCodes.includes(String(code)));
}

/** Whether the same call is likely to succeed soon: the database is away, or was too slow. */
export function isOutage(error: unknown): boolean {
  return isDatabaseAway(error) || isTooSlow(error);
}

/**
 * Choice: one second, because most outages are a single lost connection, and clients wait longer before each further
 * retry.
 */
export const outageRetrySeconds = 1;

/** Whether a statement got no answer within its time limit. */
export function isUnanswered(error: unknown): boolean {
  return (error as Failure | null)?.message === readTimeout;
}

/** Whether a timer of a pool ended the wait for a connection. */
export function isWaitOver(error: unknown): boolean {
  return [waitTimeout, closedTimeout].includes((error as Failure | null)?.message ?? '');
}

/**
 * Whether Postgres ended a transaction so that another one could continue. The same transaction is likely to succeed
 * next time.
 */
export function isTransactionConflict(error: unknown): boolean {
  return conflictCodes.includes(String((error as Failure | null)?.code));
}

/**
 * Whether Postgres does not know a prepared statement by its name. It has executed nothing, and the statement works
 * without a name.
 */
export function isPreparedStatementMissing(error: unknown): boolean {
  return statementCodes.includes(String((error as Failure | null)?.code));
}

/** Whether Postgres refused a write that it will refuse every time until its disk or its role changes. */
export function refusesWrites(error: unknown): boolean {
  return isOrWraps(error, ({ code }) => code === diskFull || code === readOnly);
}

/** Whether a pooler refused a connection because of its settings. */
export function refusesSettings(error: unknown): boolean {
  return isOrWraps(error, ({ message }) => message?.includes('unsupported startup parameter') === true);
}

function isOrWraps(error: unknown, is: (failure: Failure) => boolean): boolean {
  const failure = (error ?? {}) as Failure;
  if (is(failure)) return true;
  const inner = failure.previous ?? failure.cause;
  return inner !== undefined && inner !== error && isOrWraps(inner, is);
}

function meansOutage(code: string): boolean {
  if ([...networkCodes, ...certificateCodes, ...endedCodes, readOnly].includes(code)) return true;
  return code.length === 5 && !slowCodes.includes(code) && outageClasses.includes(code.slice(0, 2));
}
