/** The entry point for the dashboard: the same client for browsers, with a session cookie instead of an API key. */
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
export { generateSecret } from './generate-secret.ts';
export type * from './generated/schemas.ts';
export type { CallOptions, Item, OperationId, OptionsOf, Output, Query, Result } from './operations.ts';
export type { CsvPageCall, PageCall } from './page-call.ts';

/** The options of a client with a session. */
export interface SessionOptions extends ConnectionOptions {
  /** The mode of all calls. */
  mode: Mode;
  /** The URL of the server; the origin of the page when omitted. */
  baseUrl?: string;
  /** The id of the merchant whose data an operator of the service reads. The server rejects the id from other users. */
  merchantId?: string;
}

/**
 * A client for users who sign in to the dashboard. The client has `session.signIn` and all operations that accept a
 * session. It does not have `account`, which accepts only an API key.
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
    // `Headers` throws for an id that no header can contain: the `fetch` of a call would throw too, and be retried.
    const named = new Headers({ 'x-service-mode': mode });
    if (options.merchantId !== undefined) named.set('x-service-merchant', options.merchantId);
    const headers = Object.fromEntries(named);
    const authorize = () => headers;
    super(methodsOver(createTransport({ ...readConnection(options), baseUrl, authorize, credentials: 'include' })));
    this.baseUrl = baseUrl;
    this.mode = mode;
  }

  /** @deprecated Use `test`, the new name of this property. */
  get testHelpers(): this['test'] {
    return this.test;
  }
}
