import type { ErrorCode, ErrorType } from '@tillhook/openapi';

export type { ErrorCode };

interface ErrorDetail {
  path: string;
  code: string;
  message: string;
}

interface AppErrorOptions {
  param?: string;
  details?: ErrorDetail[];
  retryAfterSeconds?: number;
  cause?: unknown;
}

/** `message` is public, and `cause` is only for the log. */
export class AppError extends Error {
  override name = 'AppError';
  readonly code: ErrorCode;
  readonly param: string | null;
  readonly details: ErrorDetail[];
  readonly retryAfterSeconds: number | null;

  constructor(code: ErrorCode, message: string, options: AppErrorOptions = {}) {
    super(message, { cause: options.cause });
    this.code = code;
    this.param = options.param ?? null;
    this.details = options.details ?? [];
    this.retryAfterSeconds = options.retryAfterSeconds ?? null;
  }
}

export function notFound(): AppError {
  return new AppError('resource_not_found', 'No such resource');
}

export function invalid(code: ErrorCode, param: string, problem: string): AppError {
  return new AppError(code, `${param} ${problem}`, {
    param,
    details: [{ path: `/${param}`, code, message: problem }],
  });
}

export const errorTable: Record<ErrorCode, readonly [status: number, type: ErrorType]> = {
  invalid_json: [400, 'validation_error'],
  invalid_parameter: [400, 'validation_error'],
  missing_parameter: [400, 'validation_error'],
  unknown_parameter: [400, 'validation_error'],
  invalid_events: [400, 'validation_error'],
  invalid_url: [400, 'validation_error'],
  unsupported_currency: [400, 'validation_error'],
  missing_api_key: [401, 'authentication_error'],
  invalid_api_key: [401, 'authentication_error'],
  expired_api_key: [401, 'authentication_error'],
  wrong_auth_header: [401, 'authentication_error'],
  invalid_session: [401, 'authentication_error'],
  invalid_credentials: [401, 'authentication_error'],
  two_step_required: [401, 'authentication_error'],
  passkey_required: [401, 'authentication_error'],
  invalid_code: [401, 'authentication_error'],
  insufficient_scope: [403, 'permission_error'],
  test_mode_only: [403, 'permission_error'],
  merchant_suspended: [403, 'permission_error'],
  recent_sign_in_required: [403, 'permission_error'],
  password_sign_in_off: [403, 'permission_error'],
  cross_site_request: [403, 'permission_error'],
  role_not_allowed: [403, 'permission_error'],
  unknown_merchant: [403, 'permission_error'],
  two_step_setup_required: [403, 'permission_error'],
  resource_not_found: [404, 'not_found_error'],
  route_not_found: [404, 'not_found_error'],
  method_not_allowed: [405, 'validation_error'],
  payload_too_large: [413, 'validation_error'],
  malformed_request: [400, 'validation_error'],
  headers_too_large: [431, 'validation_error'],
  request_timeout: [408, 'validation_error'],
  unsupported_media_type: [415, 'validation_error'],
  duplicate_reference: [409, 'conflict_error'],
  duplicate_slug: [409, 'conflict_error'],
  idempotency_in_progress: [409, 'conflict_error'],
  payment_already_final: [409, 'conflict_error'],
  payment_in_progress: [409, 'conflict_error'],
  payment_not_completed: [409, 'conflict_error'],
  payment_under_review: [409, 'conflict_error'],
  endpoint_limit_reached: [409, 'conflict_error'],
  product_limit_reached: [409, 'conflict_error'],
  api_key_limit_reached: [409, 'conflict_error'],
  api_key_ended: [409, 'conflict_error'],
  transfer_status_conflict: [409, 'conflict_error'],
  two_step_not_begun: [409, 'conflict_error'],
  passkey_not_begun: [409, 'conflict_error'],
  passkey_limit_reached: [409, 'conflict_error'],
  last_passkey: [409, 'conflict_error'],
  passkeys_unavailable: [409, 'conflict_error'],
  two_step_is_off: [409, 'conflict_error'],
  invalid_link: [409, 'conflict_error'],
  password_reset_off: [409, 'conflict_error'],
  email_in_use: [409, 'conflict_error'],
  last_administrator: [409, 'conflict_error'],
  team_limit_reached: [409, 'conflict_error'],
  invitation_over: [409, 'conflict_error'],
  idempotency_key_reused: [422, 'idempotency_error'],
  insufficient_funds: [422, 'transfer_error'],
  invalid_recipient: [422, 'transfer_error'],
  refund_exceeds_payment: [422, 'refund_error'],
  refund_limit_reached: [422, 'refund_error'],
  rate_limited: [429, 'rate_limit_error'],
  internal_error: [500, 'api_error'],
  service_unavailable: [503, 'api_error'],
  processor_error: [503, 'processor_error'],
  processor_not_configured: [503, 'processor_error'],
};

export class StartError extends Error {
  override name = 'StartError';
}
