import { randomBytes } from 'node:crypto';
import type { ErrorBody, ErrorCode, Model, ModelOperation } from '@tillhook/openapi';
import { type Problem, validationErrorOf } from '@tillhook/openapi/rules/problems';

export interface MockAnswer {
  status: number;
  headers: Record<string, string>;
  body: unknown;
  /** The reason for an unusual answer. The terminal shows the reason in the line of the request. */
  note?: string;
}

interface Detail {
  path: string;
  code: string;
  message: string;
}

interface ApiErrorOptions {
  param?: string;
  details?: Detail[];
  headers?: Record<string, string>;
}

/** An error with the same code and message as the error of the service. */
export class ApiError extends Error {
  override name = 'ApiError';
  readonly code: ErrorCode;
  readonly param: string | null;
  readonly details: Detail[];
  readonly headers: Record<string, string>;

  constructor(code: ErrorCode, message: string, options: ApiErrorOptions = {}) {
    const { param, details = [], headers = {} } = options;
    super(message);
    this.code = code;
    this.param = param ?? null;
    this.details = details;
    this.headers = headers;
  }
}

export function validationError(problems: readonly Problem[], operation?: ModelOperation): ApiError {
  const { code, message, ...options } = validationErrorOf(problems, operation);
  return new ApiError(code, message, options);
}

export function fieldError(code: ErrorCode, param: string, problem: string): ApiError {
  return new ApiError(code, `${param} ${problem}`, { param, details: [{ path: `/${param}`, code, message: problem }] });
}

/** The contract's examples decide the status and the type of each error code. */
export function createErrorAnswers(model: Model): (error: ApiError) => MockAnswer {
  const kinds = kindsIn(model);
  const docs = new URL('/docs/errors', model.servers[0]?.url);
  return ({ code, message, param, details, headers }) => {
    const { status, type } = kinds.get(code) ?? { status: 400, type: 'validation_error' };
    const requestId = newRequestId();
    const error = {
      type,
      code,
      param,
      details,
      docUrl: `${docs}#${code}`,
    } as ErrorBody['error'];
    const body: ErrorBody = { success: false, message: message.slice(0, 1000), error, requestId };
    return {
      status,
      headers: { 'Content-Type': 'application/json', 'X-Request-Id': requestId, ...headers },
      body,
      note: message,
    };
  };
}

interface Kind {
  status: number;
  type: string;
}

/** Error codes of unreadable requests and unknown operations, which no operation of the contract documents. */
const withoutOperation: [string, Kind][] = [
  ['route_not_found', { status: 404, type: 'not_found_error' }],
  ['method_not_allowed', { status: 405, type: 'validation_error' }],
  ['malformed_request', { status: 400, type: 'validation_error' }],
  ['request_timeout', { status: 408, type: 'validation_error' }],
  ['headers_too_large', { status: 431, type: 'validation_error' }],
];

function kindsIn({ operations }: Model): Map<string, Kind> {
  const kinds = new Map(withoutOperation);
  for (const [status, { content }] of operations.flatMap(({ answers }) => [...answers])) {
    for (const { value } of status >= 400 && content ? content.examples.values() : []) {
      const { error } = value as ErrorBody;
      kinds.set(error.code, { status, type: error.type });
    }
  }
  return kinds;
}

function newRequestId(): string {
  return `req_${randomBytes(10).toString('hex')}`;
}
