import type { ErrorBody, ErrorCode, ErrorType } from './generated/schemas.ts';

/** One problem of a request: where, which rule, and in words. */
export type ErrorDetail = ErrorBody['error']['details'][number];

export interface ErrorFacts {
  status?: number | null;
  type?: string | null;
  code?: string | null;
  param?: string | null;
  details?: readonly ErrorDetail[];
  requestId?: string | null;
  docUrl?: string | null;
  /** When a rate limit or an outage ends, in milliseconds from now. */
  retryAfterMs?: number | null;
  sent?: SentFacts;
  cause?: unknown;
}

/** What was sent of the call that failed. */
export interface SentFacts {
  idempotencyKey: string | null;
  attempts: number;
}

/**
 * The base of everything that the client throws when a request fails.
 *
 * @example
 * try {
 *   await tillhook.payments.get('order-1042');
 * } catch (error) {
 *   if (error instanceof NotFoundError) return null;
 *   if (error instanceof TillhookError) console.error(error.code, error.requestId);
 *   throw error;
 * }
 */
export class TillhookError extends Error {
  /** The HTTP status; null when the server gave no whole answer or was not asked. */
  readonly status: number | null;
  /** The kind of failure, of which the class is made; null when the answer was not one of this API. */
  readonly type: ErrorType | (string & {}) | null;
  /** The failure, for programs; null when the answer was not one of this API. */
  readonly code: ErrorCode | (string & {}) | null;
  /** The first field or parameter at fault. */
  readonly param: string | null;
  /** Every problem of the request. */
  readonly details: readonly ErrorDetail[];
  /** Names the request for support. */
  readonly requestId: string | null;
  /** Where the code is explained. */
  readonly docUrl: string | null;
  /** How long the server asked to wait before the next call; null when it did not say. */
  readonly retryAfterMs: number | null;
  /** What the call was sent with: repeat it with the same one and it has its effect once. Null where there is none. */
  readonly idempotencyKey: string | null;
  /** How often the call was sent. */
  readonly attempts: number;

  constructor(message: string, facts: ErrorFacts = {}) {
    super(message, 'cause' in facts ? { cause: facts.cause } : undefined);
    this.status = facts.status ?? null;
    this.type = facts.type ?? null;
    this.code = facts.code ?? null;
    this.param = facts.param ?? null;
    this.details = facts.details ?? [];
    this.requestId = facts.requestId ?? null;
    this.docUrl = facts.docUrl ?? null;
    this.retryAfterMs = facts.retryAfterMs ?? null;
    this.idempotencyKey = facts.sent?.idempotencyKey ?? null;
    this.attempts = facts.sent?.attempts ?? 0;
  }

  /** For logs that write errors as JSON, which would leave name and message out. */
  toJSON(): Record<string, unknown> {
    const { name, message } = this;
    return { name, message, ...(this as object) };
  }

  // A getter, because the first line of `stack` is made before a field could be set; with a type of
  // its own in each class, or TypeScript would take the classes for one.
  override get name(): string {
    return 'TillhookError';
  }
}

/** The request is not what the operation takes; `details` holds every problem. */
export class ValidationError extends TillhookError {
  override get name(): 'ValidationError' {
    return 'ValidationError';
  }
}

/** The API key is missing, wrong or of no use here. */
export class AuthenticationError extends TillhookError {
  override get name(): 'AuthenticationError' {
    return 'AuthenticationError';
  }
}

/** The API key is valid, but may not do this: a scope is missing, or it is of the wrong mode. */
export class PermissionError extends TillhookError {
  override get name(): 'PermissionError' {
    return 'PermissionError';
  }
}

/** This merchant has no such resource in this mode. */
export class NotFoundError extends TillhookError {
  override get name(): 'NotFoundError' {
    return 'NotFoundError';
  }
}

/** The request contradicts what is already there, a taken reference for example. */
export class ConflictError extends TillhookError {
  override get name(): 'ConflictError' {
    return 'ConflictError';
  }
}

/** The idempotency key was used for another request. */
export class IdempotencyError extends TillhookError {
  override get name(): 'IdempotencyError' {
    return 'IdempotencyError';
  }
}

/** The money cannot be moved: the wallet holds too little, or the recipient does not exist. */
export class TransferError extends TillhookError {
  override get name(): 'TransferError' {
    return 'TransferError';
  }
}

/** Too many requests; `retryAfterMs` says when to come back. */
export class RateLimitError extends TillhookError {
  override get name(): 'RateLimitError' {
    return 'RateLimitError';
  }
}

/** The payment processor is missing or failed. */
export class ProcessorError extends TillhookError {
  override get name(): 'ProcessorError' {
    return 'ProcessorError';
  }
}

/** The server failed, or the answer did not come from this API. */
export class ApiError extends TillhookError {
  override get name(): 'ApiError' {
    return 'ApiError';
  }
}

/** No whole answer came: no connection, a broken one, or a time-out. The reason is in `cause`. */
export class ConnectionError extends TillhookError {
  override get name(): 'ConnectionError' {
    return 'ConnectionError';
  }
}

/** The call's `signal` ended it; `cause` is the signal's reason. Whether the server carried it out is not known. */
export class AbortedError extends TillhookError {
  override get name(): 'AbortedError' {
    return 'AbortedError';
  }
}

const errorClasses: Record<ErrorType, typeof TillhookError> = {
  validation_error: ValidationError,
  authentication_error: AuthenticationError,
  permission_error: PermissionError,
  not_found_error: NotFoundError,
  conflict_error: ConflictError,
  idempotency_error: IdempotencyError,
  transfer_error: TransferError,
  rate_limit_error: RateLimitError,
  processor_error: ProcessorError,
  api_error: ApiError,
};

/** The error that the body of an answer stands for; null when the body is not one of this API. */
export function errorFromBody(body: unknown, facts: ErrorFacts): TillhookError | null {
  if (!isErrorBody(body)) return null;
  const { type, code, param, details, docUrl } = body.error;
  // A type of a newer server is an `ApiError` here.
  const ErrorClass = Object.hasOwn(errorClasses, type) ? errorClasses[type] : ApiError;
  const requestId = body.requestId ?? facts.requestId;
  return new ErrorClass(body.message, { ...facts, type, code, param, details, docUrl, requestId });
}

/**
 * The answer came from something else: a proxy, a login page, another service. Its body is not quoted, because whatever
 * stands between may echo the request, and so the key. Nor does the status choose the class: a proxy's 404 says nothing about
 * a payment.
 */
export function foreignAnswer({ status, headers }: Response, facts: ErrorFacts): ApiError {
  const kind = headers.get('content-type') ?? 'no content type';
  return new ApiError(
    `The server answered ${status} (${kind}) with a body that is not this API's. Check baseUrl, and what stands between.`,
    { ...facts, status },
  );
}

function isErrorBody(body: unknown): body is ErrorBody {
  const { message, error } = (body ?? {}) as Partial<ErrorBody>;
  return typeof message === 'string' && typeof error?.type === 'string' && typeof error.code === 'string';
}
