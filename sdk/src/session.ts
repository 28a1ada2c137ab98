/** The door for a merchant's own people in a browser: the same client, on the cookie of the dashboard in place of a key. */
import { addressOf, type ConnectionOptions, readBaseUrl, readConnection } from './client-options.ts';
import type { Mode } from './generated/schemas.ts';
import { SessionResources } from './generated/session-resources.ts';
import { methodsOver } from './methods.ts';
import { createTransport } from './transport.ts';

export type { Call } from './call.ts';
export type { ConnectionOptions } from './client-options.ts';
export {
  AbortedError,
  ApiError,
  AuthenticationError,
  ConflictError,
  ConnectionError,
  type ErrorDetail,
  IdempotencyError,
  NotFoundError,
  PermissionError,
  ProcessorError,
  RateLimitError,
  TillhookError,
  TransferError,
  ValidationError,
} from './errors.ts';
export { generateSecret } from './generate-secret.ts';
export type * from './generated/schemas.ts';
export type { CallOptions, Item, OperationId, OptionsOf, Output, Query, Result } from './operations.ts';
export type { PageCall } from './page-call.ts';

/** How a session's client reaches its server. */
export interface SessionOptions extends ConnectionOptions {
  /** Which mode is looked at. */
  mode: Mode;
  /** Where the server is; the address of this page when omitted. */
  baseUrl?: string;
  /** The merchant that an operator of the service looks at, by its id. The server refuses it from any other user. */
  merchantId?: string;
}

/**
 * A client for users who sign in to the dashboard. It has `session.signIn`, and what a session may do: not `account`, which takes
 * an API key.
 *
 * @example
 * const tillhook = new TillhookSession({ mode: 'test' });
 * for await (const delivery of tillhook.deliveries.list({ status: 'failed' })) show(delivery);
 */
export class TillhookSession extends SessionResources {
  readonly baseUrl: string;
  readonly mode: Mode;

  constructor(options: SessionOptions) {
    const { location } = globalThis as { location?: { origin: string } };
    const baseUrl = addressOf(readBaseUrl(options?.baseUrl ?? location?.origin));
    const mode = options?.mode;
    if (mode !== 'test' && mode !== 'live') throw new TypeError("mode must be 'test' or 'live'.");
    const headers: Record<string, string> = { 'x-service-mode': mode };
    if (options.merchantId !== undefined) headers['x-service-merchant'] = options.merchantId;
    const authorize = () => headers;
    super(methodsOver(createTransport({ ...readConnection(options), baseUrl, authorize, credentials: 'include' })));
    this.baseUrl = baseUrl;
    this.mode = mode;
  }
}
