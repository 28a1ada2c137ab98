import { tlsCode } from '@tillhook/openapi/rules/tls-failures';
import type { DeliveryError } from '../kit/delivery-codes.ts';

export type { DeliveryError };

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
  // undici asserts that a status code is at least 100, and otherwise fails with this code.
  ERR_ASSERTION: 'protocol_error',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'protocol_error',
};

export function deliveryError(error: unknown): DeliveryError {
  if (error instanceof AttemptError) return error.reason;
  const { name, code = '', syscall, message } = error as Error & { code?: string; syscall?: string };
  if (syscall === 'getaddrinfo') return 'dns_failed';
  if (name === 'HTTPParserError' || message === 'bad response' || message === 'bad upgrade') return 'protocol_error';
  if (tlsCode({ code, message })) return 'tls_failed';
  return reasons[code] ?? 'network_error';
}

/** Returns Node's error code for a TLS failure, which is more precise than the contract's code. */
export function tlsCause(error: unknown): string | null {
  const failed = error instanceof AttemptError ? error.cause : error;
  return failed instanceof Error ? tlsCode(failed) : null;
}

/** The receiver may close an idle connection at any time, so a reset need not be a failure. */
export function isReset(error: unknown): boolean {
  return deliveryError(error) === 'connection_reset';
}
