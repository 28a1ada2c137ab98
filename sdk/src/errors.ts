import type { KnownValues } from '@tillhook/openapi';
import type { ErrorBody, ErrorCode, ErrorDetail, ErrorType } from './generated/schemas.ts';

export interface ErrorFields {
  status?: number | null;
  type?: string | null;
  code?: string | null;
  param?: string | null;
  details?: readonly ErrorDetail[];
  requestId?: string | null;
  docUrl?: string | null;
  retryAfterMs?: number | null;
  sent?: SentCall;
  cause?: unknown;
}

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
  /** The HTTP status code; null if no complete response arrived or nothing was sent. */
  readonly status: number | null;
  /** The kind of failure, which decides the class of the error; null if this API sent no response. */
  readonly type: ErrorType | null;
  /** The code of the failure, for programs; null if this API sent no response. */
  readonly code: ErrorCode | null;
  /** The first invalid field or parameter; null if there is no such field or parameter. */
  readonly param: string | null;
  /** All problems of the request; empty if the request has no problems. */
  readonly details: readonly ErrorDetail[];
  /** The id of the request, for support; null if there was no response. */
  readonly requestId: string | null;
  /** The URL of the documentation of the code. */
  readonly docUrl: string | null;
  /** The time in milliseconds that the server asks the client to wait before the next call; null if it does not ask. */
  readonly retryAfterMs: number | null;
  /**
   * The `Idempotency-Key` of the call; null if the call had no key. A repeated call with the same key has no second
   * effect.
   */
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

  /**
   * Returns the properties with `name` and `message`, because `JSON.stringify` omits the name and the message of an
   * error.
   */
  toJSON(): Record<string, unknown> {
    const { name, message } = this;
    return { name, message, ...(this as object) };
  }

  // The name is a getter, because the constructor of an error makes the first line of `stack` before properties can be
  // set. Each class has a `name` of another type, because TypeScript would otherwise treat all classes as one type.
  override get name(): string {
    return 'TillhookError';
  }
}

/** The request is invalid; `details` has all its problems. */
export class ValidationError extends TillhookError {
  override get name(): 'ValidationError' {
    return 'ValidationError';
  }
}

/** The API key is missing or invalid, or this operation does not accept the kind of key. */
export class AuthenticationError extends TillhookError {
  override get name(): 'AuthenticationError' {
    return 'AuthenticationError';
  }
}

/** The API key is valid but must not call this operation: the key lacks a scope or has the wrong mode. */
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

/** The request conflicts with the current state, for example because the reference is already in use. */
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

/** The transfer is impossible: the balance of the wallet is too low, or the bank of the recipient does not exist. */
export class TransferError extends TillhookError {
  override get name(): 'TransferError' {
    return 'TransferError';
  }
}

/** The refund is impossible, because it is larger than the amount that is left of the payment. */
export class RefundError extends TillhookError {
  override get name(): 'RefundError' {
    return 'RefundError';
  }
}

/** The caller made too many calls; `retryAfterMs` is the time to wait in milliseconds. */
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

/** The server failed, or the response did not come from this API. */
export class ApiError extends TillhookError {
  override get name(): 'ApiError' {
    return 'ApiError';
  }
}

/**
 * No complete response arrived: there was no connection, the connection broke, or the call timed out (`TimeoutError`).
 * `cause` has the reason.
 */
export class ConnectionError extends TillhookError {
  override get name(): 'ConnectionError' | 'TimeoutError' {
    return 'ConnectionError';
  }
}

/** The call timed out before a complete response arrived. The server may or may not have carried out the call. */
export class TimeoutError extends ConnectionError {
  override get name(): 'TimeoutError' {
    return 'TimeoutError';
  }
}

/**
 * The `signal` of the call aborted the call; `cause` is the reason of the signal. The server may or may not have
 * carried out the call.
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
} satisfies Record<KnownValues<ErrorType>, typeof TillhookError>;

/** Returns the error in a response body; null if the body is not from this API. */
export function errorFromBody(body: unknown, fields: ErrorFields): TillhookError | null {
  if (!isErrorBody(body)) return null;
  const { type, code, param, details, docUrl } = body.error;
  // An error type that only a newer server has becomes an `ApiError`.
  const ErrorClass = isKnownType(type) ? errorClasses[type] : ApiError;
  const requestId = body.requestId ?? fields.requestId;
  return new ErrorClass(body.message, { ...fields, type, code, param, details, docUrl, requestId });
}

/**
 * The message does not quote the body, which may repeat the request with the API key. The class does not depend on the
 * status code, because a 404 of a proxy does not mean that a payment does not exist.
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
