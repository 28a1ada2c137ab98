import { AppError, errorTable } from '../kit/errors.ts';

/**
 * The status of a page that failed. The body parser and the router put one on their errors, and an address that cannot be
 * decoded is nobody's.
 */
export function statusOf(error: unknown): number {
  if (error instanceof AppError) return errorTable[error.code][0];
  if (error instanceof URIError) return 404;
  const { status } = error as { status?: unknown };
  return typeof status === 'number' && status >= 400 && status < 500 ? status : 500;
}
