import type { TillhookError } from './errors.ts';
import type { OperationId } from './operations.ts';

/** Identifies an attempt of a call. */
export interface AttemptDetails {
  operationId: OperationId;
  method: string;
  /** The path in the contract, such as `/api/v1/payments/{reference}`. All calls of an operation have the same path. */
  route: string;
  /** The number of the attempt; the first attempt is 1. */
  attempt: number;
  idempotencyKey: string | null;
}

/**
 * Functions that the client calls during calls, for traces and metrics. An error in a hook does not affect the call,
 * but the logger gets a warning.
 */
export interface Hooks {
  /**
   * Called before an attempt. The client sends the headers that the hook sets, for example `traceparent`. `headers`
   * contains no credentials.
   */
  request?: (attempt: AttemptDetails & { headers: Headers }) => void;
  /** Called when a response with any status has arrived. */
  response?: (attempt: AttemptDetails & { status: number; requestId: string | null; durationMs: number }) => void;
  /** Called when an attempt failed and is retried after `delayMs` milliseconds. */
  retry?: (attempt: AttemptDetails & { error: TillhookError; delayMs: number }) => void;
  /** Called when a call failed after at least one attempt. */
  error?: (attempt: AttemptDetails & { error: TillhookError }) => void;
}

/** A logger such as `console`. */
export interface Logger {
  debug: (message: string) => void;
  warn: (message: string) => void;
}

type HookFunction = (details: never) => unknown;

/** Returns no function for a missing hook, so that a missing hook takes no time in a call. */
export function observers(hooks: Hooks = {}, logger?: Logger): Hooks {
  const logging = logger ? loggingHooks(logger) : {};
  const names = (['request', 'response', 'retry', 'error'] as const).filter((name) => hooks[name] ?? logging[name]);
  return Object.fromEntries(
    names.map((name) => [
      name,
      (details: never) => {
        callHook({ hooks: logging, name }, details);
        callHook({ hooks, name, logger }, details);
      },
    ]),
  );
}

interface HookCall {
  hooks: Hooks;
  name: keyof Hooks;
  logger?: Logger | undefined;
}

/** An error in a hook must not make a payment fail, so it only causes a warning. */
function callHook({ hooks, name, logger }: HookCall, details: never): void {
  const warn = (error: unknown) =>
    logger?.warn(`The ${name} hook threw: ${error instanceof Error ? error.message : error}`);
  try {
    // The hook is called as a method, because the hooks may be an instance of a class. An async hook may reject later.
    const told: unknown = (hooks[name] as HookFunction | undefined)?.call(hooks, details);
    if (told instanceof Promise) told.catch(warn);
  } catch (error) {
    warn(error);
  }
}

function loggingHooks(logger: Logger): Hooks {
  return {
    response: ({ operationId, status, durationMs, requestId, attempt }) => {
      const request = `attempt ${attempt}, ${requestId ?? 'no request id'}`;
      logger.debug(`${operationId} ${status} in ${Math.round(durationMs)} ms (${request})`);
    },
    retry: ({ operationId, error, delayMs, attempt }) => {
      logger.warn(`${operationId} failed in attempt ${attempt}: ${error.message} Retry in ${Math.round(delayMs)} ms.`);
    },
    error: ({ operationId, error, attempt }) => {
      logger.warn(`${operationId} failed in attempt ${attempt}: ${error.message}`);
    },
  };
}
