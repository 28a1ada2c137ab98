/** Says why a receiver gave no answer. */
import { type Outcome, timeoutMs } from './post-webhook.ts';

interface Failure {
  /** For a column of statuses. */
  word: string;
  /** What it means, and what to do about it. */
  sentence: string;
}

const failures: Readonly<Record<string, Failure>> = {
  connection_refused: { word: 'refused', sentence: 'No program listens at this address: start your receiver.' },
  connection_reset: { word: 'reset', sentence: 'Your receiver closed the connection without an answer.' },
  timeout: {
    word: 'timeout',
    sentence: `Your receiver gave no answer within ${timeoutMs / 1000} seconds: answer first, then work.`,
  },
  dns_failed: { word: 'no host', sentence: 'The host name of the address is unknown.' },
  tls_failed: {
    word: 'TLS',
    sentence: 'The encrypted connection failed.',
  },
  // Only the service reports these.
  address_refused: { word: 'forbidden', sentence: 'The service does not deliver to the network of this address.' },
  connect_timeout: { word: 'timeout', sentence: 'No connection was made in time: is the host running?' },
  protocol_error: { word: 'no HTTP', sentence: 'What listens at this address does not speak HTTP.' },
};

/** Explains the error of an attempt, in the contract's codes. */
export function failureOf({ error, errorDetail }: Partial<Pick<Outcome, 'error' | 'errorDetail'>>): Failure {
  const { word, sentence } = failures[error ?? ''] ?? { word: 'failed', sentence: 'The connection failed.' };
  if (error !== 'tls_failed') return { word, sentence };
  const remedy = 'On your own machine use http://, or name the authority in NODE_EXTRA_CA_CERTS.';
  return { word, sentence: `${errorDetail ?? sentence} ${remedy}` };
}
