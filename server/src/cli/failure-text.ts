import { inspect } from 'node:util';
import { ConfigError } from '../config/config.ts';
import { AppError } from '../kit/errors.ts';
import { StartError } from '../kit/start-error.ts';
import { isDatabaseAway } from '../platform/database/connection/outage.ts';

/**
 * The message of an error that the operator can solve. Any other error is a fault of ours and is shown with its stack.
 */
export function failureText(error: unknown): string {
  const isKnown = [AppError, ConfigError, StartError].some((known) => error instanceof known);
  const isExpected = isKnown || (error instanceof Error && isDatabaseAway(error));
  return isExpected ? (error as Error).message : inspect(error);
}
