const networkCodes = ['ECONNREFUSED', 'ECONNRESET', 'ETIMEDOUT', 'ENOTFOUND', 'EPIPE'];
/** SQLSTATE classes: connection exception, too little of something such as connections, intervention such as a shutdown. */
const outageClasses = ['08', '53', '57'];
/** A cancelled statement, by a time-out for example, is of the last class too, but the database is there. */
const queryCanceled = '57014';
/** A primary that became a standby, and is still asked until its name leads elsewhere. */
const readOnly = '25006';
/** Serialization failure, deadlock. */
const lostCodes = ['40001', '40P01'];
const driverMessages = ['Connection terminated', 'timeout exceeded when trying to connect'];

interface Failure {
  code?: unknown;
  message?: string;
  /** What the ORM or a library found underneath. */
  previous?: unknown;
  cause?: unknown;
}

/** Whether a failure means that the database cannot be reached now, rather than that a statement is wrong. */
export function isDatabaseAway(error: unknown): boolean {
  const { code, message, previous, cause } = (error ?? {}) as Failure;
  if (typeof code === 'string' && meansOutage(code)) return true;
  if (driverMessages.some((start) => message?.startsWith(start))) return true;
  const inner = previous ?? cause;
  return inner !== undefined && inner !== error && isDatabaseAway(inner);
}

function meansOutage(code: string): boolean {
  if (networkCodes.includes(code) || code === readOnly) return true;
  return code.length === 5 && code !== queryCanceled && outageClasses.includes(code.slice(0, 2));
}

/** Whether Postgres ended a transaction so that another could go on. The same again is likely to succeed. */
export function isLostToAnother(error: unknown): boolean {
  return lostCodes.includes(String((error as Failure | null)?.code));
}
