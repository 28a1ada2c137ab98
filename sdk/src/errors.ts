import type { Known } from '@tillhook/openapi';
import type { ErrorBody, ErrorCode, ErrorDetail, ErrorType } from './generated/schemas.ts';

export interface ErrorFields {
  status?: number | null;
  type?: string | null;
  code?: string | null;
  param?: string | null;
  details?: readonly ErrorDetail[];
  requestId?: string | null;
  docUrl?: string | null;
  /** The time to wait before the next call, in milliseconds. */
  retryAfterMs?: number | null;
  sent?: SentCall;
  cause?: unknown;
}

/** How the failed call was sent. */
export interface SentCall {
  idempotencyKey: string | null;
  attempts: number;
}

/**
 * The base class of all errors that the client throws when a call fails.
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
  /** The HTTP status; null if no complete answer came or nothing was sent. */
  readonly status: number | null;
  /** The kind of failure, which decides the class of the error; null if no answer of this API came. */
  readonly type: ErrorType | null;
  /** The code of the failure, for programs; null if no answer of this API came. */
  readonly code: ErrorCode | null;
  /** The first invalid field or parameter; null if there is none. */
  readonly param: string | null;
  /** All problems of the request; empty if it has none. */
  readonly details: readonly ErrorDetail[];
  /** Identifies the request, for support. Null if no answer came. */
  readonly requestId: string | null;
  /** The address of the documentation of the code. */
  readonly docUrl: string | null;
  /** The time that the server asks the client to wait before the next call, in milliseconds; null if it does not ask. */
  readonly retryAfterMs: number | null;
  /** The `Idempotency-Key` of the call; null if the call had none. A repeated call with this key has no second effect. */
  readonly idempotencyKey: string | null;
  /** The number of attempts that were sent. */
  readonly attempts: number;

  constructor(message: string, fields: ErrorFields = {}) {
    super(message, 'cause' in fields ? { cause: fields.cause } : undefined);
    this.status = fields.status ?? null;
    this.type = fields.type ?? null;
    this.code = fields.code ?? null;
    this.param = fields.param ?? null;
    this.details = fields.details ?? [];
    this.requestId = fields.requestId ?? null;
    this.docUrl = fields.docUrl ?? null;
    this.retryAfterMs = fields.retryAfterMs ?? null;
    this.idempotencyKey = fields.sent?.idempotencyKey ?? null;
    this.attempts = fields.sent?.attempts ?? 0;
  }

  /** Returns the fields with name and message, because `JSON.stringify` would omit those of an error. */
  toJSON(): Record<string, unknown> {
    const { name, message } = this;
    return { name, message, ...(this as object) };
  }

  // A getter, because an error makes the first line of `stack` before its fields can be set. Each class has another
  // type of `name`, because TypeScript would otherwise treat all classes as the same.
  override get name(): string {
    return 'TillhookError';
  }
}

/** The request is not valid; `details` has all problems. */
export class ValidationError extends TillhookError {
  override get name(): 'ValidationError' {
    return 'ValidationError';
  }
}

/** The API key is missing or invalid, or of a kind that this operation does not accept. */
export class AuthenticationError extends TillhookError {
  override get name(): 'AuthenticationError' {
    return 'AuthenticationError';
  }
}

/** The API key is valid but may not do this: a scope is missing, or the mode is wrong. */
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

/** The request conflicts with the present state, for example because the reference is in use. */
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

/** The money cannot be moved: the wallet holds too little, or the bank of the recipient does not exist. */
export class TransferError extends TillhookError {
  override get name(): 'TransferError' {
    return 'TransferError';
  }
}

/** The payment cannot be refunded: the refund is larger than the amount that is left of the payment. */
export class RefundError extends TillhookError {
  override get name(): 'RefundError' {
    return 'RefundError';
  }
}

/** Too many calls; `retryAfterMs` says how long to wait, in milliseconds. */
export class RateLimitError extends TillhookError {
  override get name(): 'RateLimitError' {
    return 'RateLimitError';
  }
}

/** The payment processor is not configured, or it failed. */
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

/**
 * No complete answer came: there was no connection, the connection broke, or a time limit passed, which is a
 * `TimeoutError`. `cause` has the reason.
 */
export class ConnectionError extends TillhookError {
  override get name(): 'ConnectionError' | 'TimeoutError' {
    return 'ConnectionError';
  }
}

/** A time limit passed before a complete answer came. The server may or may not have carried out the call. */
export class TimeoutError extends ConnectionError {
  override get name(): 'TimeoutError' {
    return 'TimeoutError';
  }
}

/**
 * The `signal` of the call aborted it; `cause` is the reason of the signal. The server may or may not have carried out
 * the call.
 */
export class AbortedError extends TillhookError {
  override get name(): 'AbortedError' {
    return 'AbortedError';
  }
}

const errorClasses = {
  validation_error: ValidationError,
  authentication_error: AuthenticationError,
  permission_error: PermissionError,
  not_found_error: NotFoundError,
  conflict_error: ConflictError,
  idempotency_error: IdempotencyError,
  transfer_error: TransferError,
  refund_error: RefundError,
  rate_limit_error: RateLimitError,
  processor_error: ProcessorError,
  api_error: ApiError,
} satisfies Record<Known<ErrorType>, typeof TillhookError>;

/** Returns the error in the body of an answer; null if the body is not from this API. */
export function errorFromBody(body: unknown, fields: ErrorFields): TillhookError | null {
  if (!isErrorBody(body)) return null;
  const { type, code, param, details, docUrl } = body.error;
  // An unknown error type of a newer server becomes an `ApiError`.
  const ErrorClass = isKnownType(type) ? errorClasses[type] : ApiError;
  const requestId = body.requestId ?? fields.requestId;
  return new ErrorClass(body.message, { ...fields, type, code, param, details, docUrl, requestId });
}

/**
 * Makes the error for an answer of another program, such as a proxy, a login page or another service. It does not quote
 * the body, which may repeat the request with the key. Its class does not depend on the status, because a 404 of a
 * proxy does not mean that a payment does not exist.
 */
export function foreignAnswer({ status, headers }: Response, fields: ErrorFields): ApiError {
  const kind = headers.get('content-type') ?? 'no content type';
  return new ApiError(
    `The server answered ${status} (${kind}) with a body that is not of this API. Check baseUrl, and any proxy before the server.`,
    { ...fields, status },
  );
}

function isKnownType(type: string): type is keyof typeof errorClasses {
  return Object.hasOwn(errorClasses, type);
}

function isErrorBody(body: unknown): body is ErrorBody {
  const { message, error } = (body ?? {}) as Partial<ErrorBody>;
  return typeof message === 'string' && typeof error?.type === 'string' && typeof error.code === 'string';
}
