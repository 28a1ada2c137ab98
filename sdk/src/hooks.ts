import type { TillhookError } from './errors.ts';
import type { OperationId } from './operations.ts';

/** Which attempt of which call it is about. */
export interface AttemptFacts {
  operationId: OperationId;
  method: string;
  /** The path as the contract has it, `/api/v1/payments/{reference}`: one name for all calls of an operation. */
  route: string;
  /** Counts from 1. */
  attempt: number;
  idempotencyKey: string | null;
}

/**
 * What you are told while calls run, for traces and metrics. A hook that throws changes nothing about the call, and the logger
 * hears of it.
 */
export interface Hooks {
  /** Before an attempt. Headers set here are sent, `traceparent` for example; those of the credentials are not among them. */
  request?: (attempt: AttemptFacts & { headers: Headers }) => void;
  /** An answer came, of whichever status. */
  response?: (attempt: AttemptFacts & { status: number; requestId: string | null; durationMs: number }) => void;
  /** The attempt failed, and there will be another one. */
  retry?: (attempt: AttemptFacts & { error: TillhookError; delayMs: number }) => void;
  /** The call failed, after it was sent. */
  error?: (attempt: AttemptFacts & { error: TillhookError }) => void;
}

/** The usual logger: `console`, or one of yours. */
export interface Logger {
  debug: (message: string) => void;
  warn: (message: string) => void;
}

type Tell = (facts: never) => unknown;

/** Tells both the hooks and the logger; undefined for whom nobody asked, so that a call costs nothing more. */
export function observers(hooks: Hooks = {}, logger?: Logger): Hooks {
  const logging = logger ? loggingHooks(logger) : {};
  const names = (['request', 'response', 'retry', 'error'] as const).filter((name) => hooks[name] ?? logging[name]);
  return Object.fromEntries(
    names.map((name) => [
      name,
      (facts: never) => {
        callHook({ hooks: logging, name }, facts);
        callHook({ hooks, name, logger }, facts);
      },
    ]),
  );
}

interface Told {
  hooks: Hooks;
  name: keyof Hooks;
  logger?: Logger | undefined;
}

/** What watches a payment must not end it. */
function callHook({ hooks, name, logger }: Told, facts: never): void {
  const complain = (error: unknown) =>
    logger?.warn(`The ${name} hook threw: ${error instanceof Error ? error.message : error}`);
  try {
    // On its object, which may be of a class; and one that is async rejects later.
    const told: unknown = (hooks[name] as Tell | undefined)?.call(hooks, facts);
    if (told instanceof Promise) told.catch(complain);
  } catch (error) {
    complain(error);
  }
}

function loggingHooks(logger: Logger): Hooks {
  return {
    response: ({ operationId, status, durationMs, requestId, attempt }) => {
      const request = `attempt ${attempt}, ${requestId ?? 'no request id'}`;
      logger.debug(`${operationId} ${status} in ${Math.round(durationMs)} ms (${request})`);
    },
    retry: ({ operationId, error, delayMs, attempt }) => {
      logger.warn(`${operationId} failed in attempt ${attempt}: ${error.message} Again in ${Math.round(delayMs)} ms.`);
    },
    error: ({ operationId, error, attempt }) => {
      logger.warn(`${operationId} failed in attempt ${attempt}: ${error.message}`);
    },
  };
}
