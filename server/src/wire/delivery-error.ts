import { tlsCode } from '@tillhook/openapi/rules/tls-failures';
import type { DeliveryError } from '../kit/delivery-codes.ts';

export type { DeliveryError };

/** A failure that this service caused itself, such as a time-out, with its reason. */
export class AttemptError extends Error {
  override name = 'AttemptError';
  readonly reason: DeliveryError;

  constructor(reason: DeliveryError, options?: ErrorOptions) {
    super(reason, options);
    this.reason = reason;
  }
}

const reasons: Record<string, DeliveryError> = {
  ECONNREFUSED: 'connection_refused',
  ECONNRESET: 'connection_reset',
  EPIPE: 'connection_reset',
  UND_ERR_SOCKET: 'connection_reset',
  UND_ERR_CONNECT_TIMEOUT: 'connect_timeout',
  ETIMEDOUT: 'connect_timeout',
  UND_ERR_HEADERS_OVERFLOW: 'protocol_error',
  // The parser asserts that a status is at least 100.
  ERR_ASSERTION: 'protocol_error',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'protocol_error',
};

/** Translates an error of the network into the contract's words. */
export function deliveryError(error: unknown): DeliveryError {
  if (error instanceof AttemptError) return error.reason;
  const { name, code = '', syscall, message } = error as Error & { code?: string; syscall?: string };
  if (syscall === 'getaddrinfo') return 'dns_failed';
  if (name === 'HTTPParserError' || message === 'bad response' || message === 'bad upgrade') return 'protocol_error';
  if (tlsCode({ code, message })) return 'tls_failed';
  return reasons[code] ?? 'network_error';
}

/** The code of Node for a failure of TLS, which says more than the contract's word. Null for other failures. */
export function tlsCause(error: unknown): string | null {
  const failed = error instanceof AttemptError ? error.cause : error;
  return failed instanceof Error ? tlsCode(failed) : null;
}

/** Whether the receiver closed the connection. It may do so with idle connections, which is no failure. */
export function isReset(error: unknown): boolean {
  return deliveryError(error) === 'connection_reset';
}
