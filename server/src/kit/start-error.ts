/** The process cannot start for a reason that its operator can solve. The message says how. */
export class StartError extends Error {
  override name = 'StartError';
}
