import { readable } from '../kit/status-words.ts';

const attemptErrors: Readonly<Record<string, string>> = {
  address_refused: 'Address refused',
  connect_timeout: 'Connection timed out',
  connection_refused: 'Connection refused',
  connection_reset: 'Connection closed',
  dns_failed: 'Host not found',
  network_error: 'Network error',
  protocol_error: 'Invalid HTTP',
  timeout: 'Timed out',
  tls_failed: 'TLS failed',
};

/** Returns a few words for the error of an attempt, such as "Connection refused". */
export function attemptError(error: string): string {
  return attemptErrors[error] ?? readable(error);
}
