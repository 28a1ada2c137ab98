const networkCodes = ['ECONNREFUSED', 'ECONNRESET', 'ETIMEDOUT', 'ENOTFOUND', 'EPIPE'];
/** Node's error codes for a certificate of the database that cannot be trusted, for example because it has expired. */
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
 * SQLSTATE classes: connection exception, invalid credentials such as an old password, insufficient resources, operator
 * intervention such as a shutdown.
 */
const outageClasses = ['08', '28', '53', '57'];
/** SQLSTATE: Postgres ended a connection that was idle in a transaction, or whose transaction took too long. */
const endedCodes = ['25P03', '25P04'];
/** SQLSTATE of a write to a standby, for example while the host name does not lead to the new primary yet. */
const readOnly = '25006';
const diskFull = '53100';
/** SQLSTATE: a statement, or the wait for a lock, took too long. */
const slowCodes = ['57014', '55P03'];
/** SQLSTATE: serialization failure, deadlock. */
const conflictCodes = ['40001', '40P01'];
/** SQLSTATE: a prepared statement does not exist, or its name is already used. */
const statementCodes = ['26000', '42P05'];
export const readTimeout = 'Query read timeout';
export const waitTimeout = 'timeout exceeded when trying to connect';
export const connectTimeout = 'timeout expired';
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
  previous?: unknown;
  cause?: unknown;
}

export function isDatabaseAway(error: unknown): boolean {
  return isOrWraps(error, ({ code, message }) => {
    if (typeof code === 'string' && meansOutage(code)) return true;
    return driverMessages.some((start) => message?.startsWith(start));
  });
}

export function isTooSlow(error: unknown): boolean {
  return isOrWraps(error, ({ code }) => slowCodes.includes(String(code)));
}

export function isOutage(error: unknown): boolean {
  return isDatabaseAway(error) || isTooSlow(error);
}

/** Choice: clients retry after one second, because most outages are a single lost connection. */
export const outageRetrySeconds = 1;

export function isUnanswered(error: unknown): boolean {
  return (error as Failure | null)?.message === readTimeout;
}

export function isWaitOver(error: unknown): boolean {
  return [waitTimeout, closedTimeout].includes((error as Failure | null)?.message ?? '');
}

/** Whether Postgres ended a transaction so that another transaction could continue. */
export function isTransactionConflict(error: unknown): boolean {
  return conflictCodes.includes(String((error as Failure | null)?.code));
}

/** Whether Postgres does not know the name of a prepared statement, and has executed nothing. */
export function isPreparedStatementMissing(error: unknown): boolean {
  return statementCodes.includes(String((error as Failure | null)?.code));
}

/** Whether Postgres refused a write because its disk is full or because it is a standby. */
export function refusesWrites(error: unknown): boolean {
  return isOrWraps(error, ({ code }) => code === diskFull || code === readOnly);
}

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
