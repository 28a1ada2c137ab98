const networkCodes = ['ECONNREFUSED', 'ECONNRESET', 'ETIMEDOUT', 'ENOTFOUND', 'EPIPE'];
/** SQLSTATE classes: connection exception, and operator intervention such as a shutdown. */
const sqlClasses = ['08', '57'];

/** Whether a failure means that the database cannot be reached now, rather than that a statement is wrong. */
export function isDatabaseAway(error: unknown): boolean {
  const { code, message, previous, cause } = (error ?? {}) as {
    code?: string;
    message?: string;
    previous?: unknown;
    cause?: unknown;
  };
  if (
    typeof code === 'string' &&
    (networkCodes.includes(code) || (code.length === 5 && sqlClasses.includes(code.slice(0, 2))))
  )
    return true;
  if (message?.startsWith('Connection terminated') || message === 'timeout exceeded when trying to connect')
    return true;
  const inner = previous ?? cause;
  return inner !== undefined && inner !== error && isDatabaseAway(inner);
}
