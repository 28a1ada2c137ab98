/** The door of the SDK. Webhooks have their own, `@tillhook/sdk/webhooks`, without the client. */

export type {
  CheckoutRequest,
  CheckoutSession,
  ErrorBody,
  ErrorCode,
  ErrorType,
  EventName,
  Mode,
  OperationId,
  OperationInput,
  OperationOutput,
  Payment,
  PaymentStatus,
  Product,
  TestEventResult,
  Transfer,
  TransferStatus,
  WebhookEndpoint,
  WebhookEndpointRequest,
  WebhookEvent,
  WebhookEvents,
} from '@tillhook/openapi';
export { Tillhook } from './client.ts';
export type { TillhookOptions } from './client-options.ts';
export {
  ApiError,
  AuthenticationError,
  ConflictError,
  ConnectionError,
  type ErrorDetail,
  NotFoundError,
  ProcessorError,
  TillhookError,
  ValidationError,
} from './errors.ts';
export { generateSecret } from './generate-secret.ts';
export type { OperationMethod } from './operations.ts';
