import type { DeliveryError } from '../../kit/delivery-codes.ts';

export type { DeliveryError };

/** A failure that this service caused itself, such as a time-out, with its reason. */
export class AttemptError extends Error {
  override name = 'AttemptError';
  readonly reason: DeliveryError;

  constructor(reason: DeliveryError) {
    super(reason);
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
  EPROTO: 'tls_failed',
  UND_ERR_HEADERS_OVERFLOW: 'protocol_error',
  // The parser asserts that a status is at least 100.
  ERR_ASSERTION: 'protocol_error',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'protocol_error',
};

const tlsCodes =
  /^(ERR_TLS|ERR_SSL|CERT_|CRL_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|INVALID_CA|INVALID_PURPOSE|HOSTNAME_MISMATCH|PATH_LENGTH_)/;

/** Translates an error of the network into the contract's words. */
export function deliveryError(error: unknown): DeliveryError {
  if (error instanceof AttemptError) return error.reason;
  const { name, code = '', syscall, message } = error as Error & { code?: string; syscall?: string };
  if (syscall === 'getaddrinfo') return 'dns_failed';
  if (name === 'HTTPParserError' || message === 'bad response' || message === 'bad upgrade') return 'protocol_error';
  if (tlsCodes.test(code)) return 'tls_failed';
  return reasons[code] ?? 'network_error';
}

/** Whether the receiver closed the connection. It may do so with idle connections, which is no failure. */
export function isReset(error: unknown): boolean {
  return deliveryError(error) === 'connection_reset';
}
