import { inspect } from 'node:util';
import {
  AbortedError,
  AuthenticationError,
  ConnectionError,
  NotFoundError,
  PermissionError,
  Tillhook,
  TillhookError,
  type TillhookOptions,
  ValidationError,
} from '@tillhook/sdk';
import { ArgumentError, CommandError, type DeveloperEnvironment, exitCodes } from '../terminal/environment.ts';
import { serviceUrlBy } from '../terminal/service-settings.ts';

export interface Connection {
  client: Tillhook;
  apiKey: string;
  isLive: boolean;
}

export interface ConnectionOptions {
  baseUrl?: string;
}

export function connect(
  { env }: Pick<DeveloperEnvironment, 'env'>,
  { baseUrl = serviceUrlBy(env) }: ConnectionOptions,
  options: Pick<TillhookOptions, 'hooks'> = {},
): Connection {
  const apiKey = env.TILLHOOK_API_KEY?.trim();
  if (!apiKey) {
    throw new ArgumentError('TILLHOOK_API_KEY is not set.', {
      advice:
        'Set it to the test key that `npm start` printed, or to a key of the dashboard: export TILLHOOK_API_KEY=sk_test_…',
    });
  }
  try {
    const client = new Tillhook(apiKey, { baseUrl, ...options });
    return { client, apiKey, isLive: apiKey.startsWith('sk_live_') };
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new ArgumentError(error.message, {
      advice: 'Check TILLHOOK_API_KEY, and --base-url or TILLHOOK_BASE_URL.',
      cause: error,
    });
  }
}

/** Rejects a live key first: otherwise a command could create live records before the service rejects the key. */
export function requireTestKey({ isLive }: Connection, command: string): void {
  if (!isLive) return;
  throw new ArgumentError(`${command} works with a test key only, and TILLHOOK_API_KEY is a live key.`, {
    advice: 'Set TILLHOOK_API_KEY to a key that begins with sk_test_. Nothing was changed.',
  });
}

interface Explanation {
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
  // The API's message names the parameter `event`, but the user typed the option `--events`.
  if (!(error instanceof ConnectionError)) return error.message.replace(/^event(\/\d+)? /, '--events ');
  return `The service gave no answer: ${causeOf(error)}.`;
}

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
