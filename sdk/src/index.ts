/** Webhooks and dashboard sessions have their own entry points, without this client. */

export type { WebhookEvent, WebhookEvents } from '@tillhook/openapi';
export type { Call } from './call.ts';
export { Tillhook } from './client.ts';
export type { ConnectionOptions, TillhookOptions } from './client-options.ts';
export {
  AbortedError,
  ApiError,
  AuthenticationError,
  ConflictError,
  ConnectionError,
  IdempotencyError,
  NotFoundError,
  PermissionError,
  ProcessorError,
  RateLimitError,
  RefundError,
  TillhookError,
  TimeoutError,
  TransferError,
  ValidationError,
} from './errors.ts';
export type { Feed, FollowOptions, FollowQuery } from './feed.ts';
export { generateSecret } from './generate-secret.ts';
export type * from './generated/schemas.ts';
export type { AttemptDetails, Hooks, Logger } from './hooks.ts';
export type { AnswerDetails, CallOptions, Item, OperationId, OptionsOf, Output, Query, Result } from './operations.ts';
export type { CsvPageCall, PageCall } from './page-call.ts';
