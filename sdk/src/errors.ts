import type { ErrorBody, ErrorCode, ErrorType } from '@tillhook/openapi';

/** One problem of a request: where, which rule, and in words. */
export type ErrorDetail = ErrorBody['error']['details'][number];

interface ErrorFacts {
  status?: number | null;
  code?: string | null;
  param?: string | null;
  details?: readonly ErrorDetail[];
  requestId?: string | null;
  docUrl?: string | null;
  cause?: unknown;
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

  constructor(message: string, facts: ErrorFacts = {}) {
    super(message, 'cause' in facts ? { cause: facts.cause } : undefined);
    this.status = facts.status ?? null;
    this.code = facts.code ?? null;
    this.param = facts.param ?? null;
    this.details = facts.details ?? [];
    this.requestId = facts.requestId ?? null;
    this.docUrl = facts.docUrl ?? null;
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

/** Too many requests; `Retry-After` of the answer said when to come back. */
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

/** The error that an answer stands for; `body` is what it held, parsed when it was JSON. */
export function errorFromResponse(response: Response, body: unknown): TillhookError {
  const { status, headers } = response;
  const requestId = headers.get('x-request-id');
  if (!isErrorBody(body)) {
    // The body is not quoted: whatever stands between may echo the request, and so the key. Nor does
    // the status choose the class: a proxy's 404 says nothing about a payment.
    const kind = headers.get('content-type') ?? 'no content type';
    const message = `The server answered ${status} (${kind}) with a body that is not this API's.`;
    return new ApiError(message, { status, requestId });
  }
  // A type of a newer server is an `ApiError` here.
  const ErrorClass = Object.hasOwn(errorClasses, body.error.type) ? errorClasses[body.error.type] : ApiError;
  return new ErrorClass(body.message, { ...body.error, status, requestId: body.requestId ?? requestId });
}

function isErrorBody(body: unknown): body is ErrorBody {
  const { message, error } = (body ?? {}) as Partial<ErrorBody>;
  return typeof message === 'string' && typeof error?.type === 'string' && typeof error.code === 'string';
}
