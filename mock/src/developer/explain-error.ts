/** Says of a failed call what happened and what to do, in two lines without a stack. */
import { inspect } from 'node:util';
import {
  AbortedError,
  AuthenticationError,
  ConnectionError,
  NotFoundError,
  PermissionError,
  TillhookError,
  ValidationError,
} from '@tillhook/sdk';
import { CommandError, exitCodes } from './environment.ts';

export interface Explanation {
  lines: string[];
  exitCode: number;
}

export function explainError(error: unknown, isInterrupted: boolean): Explanation {
  if (error instanceof CommandError) return { lines: [error.message, error.advice], exitCode: error.exitCode };
  if (isInterrupted && (error instanceof AbortedError || (error as Error | null)?.name === 'AbortError'))
    return { lines: ['Interrupted.'], exitCode: exitCodes.interrupted };
  if (!(error instanceof TillhookError)) return { lines: [inspect(error)], exitCode: exitCodes.failed };
  const request = error.requestId ? ` (request ${error.requestId})` : '';
  return {
    lines: [`${whatHappened(error)}${request}`, ...whatToDo(error)],
    exitCode: error instanceof ValidationError ? exitCodes.wrongArguments : exitCodes.failed,
  };
}

function whatHappened(error: TillhookError): string {
  // The parameter of the API is an option here.
  if (!(error instanceof ConnectionError)) return error.message.replace(/^event(\/\d+)? /, '--events ');
  return `The service gave no answer: ${causeOf(error)}.`;
}

/** The reason in the words of the network, which is the last of the causes. */
export function causeOf({ message, cause }: Error): string {
  if (cause instanceof Error) return causeOf(cause);
  return ((cause as { code?: string } | undefined)?.code ?? message).replace(/[.]$/, '');
}

function whatToDo(error: TillhookError): string[] {
  if (error instanceof ConnectionError)
    return ['Start it with `npm start`, or name its address with --base-url or TILLHOOK_BASE_URL.'];
  if (error instanceof AuthenticationError)
    return ['Check TILLHOOK_API_KEY: it must be a key of this service that is not revoked. `npm start` prints one.'];
  if (error instanceof PermissionError)
    return ['Use a key that may do this: the dashboard shows the scopes of each key.'];
  if (error instanceof NotFoundError)
    return ['Check the id, and the mode of TILLHOOK_API_KEY: a test key sees only what was made in test mode.'];
  const { details, docUrl } = error;
  const problems = details.map(({ path, message }) => `${path.slice(1).replaceAll('/', '.')} ${message}`);
  return [...(problems.length > 1 ? problems : []), ...(docUrl ? [`See ${docUrl}`] : [])];
}
