/** Node's `fetch` takes four times the processor time of `node:http`: too much for a sender of thousands of events. */
import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { tlsCode, tlsFailure } from '@tillhook/openapi/rules/tls-failures';

export interface Outcome {
  statusCode: number | null;
  /** The reason why no response arrived, such as `connection_refused`; null when a status and headers arrived. */
  error: string | null;
  /** Explains the error in a sentence; null if the error code needs no explanation. */
  errorDetail: string | null;
  responseHeaders: Record<string, string> | null;
  /** The first 2 KiB of the response body. */
  responseBody: string | null;
  /** True when the response body was longer than 2 KiB, or when the connection broke before the end of the body. */
  responseTruncated: boolean;
}

/** A null status code means that the receiver did not respond. */
export function isReceived(statusCode: number | null): boolean {
  return statusCode !== null && statusCode >= 200 && statusCode < 300;
}

interface Post {
  headers: Readonly<Record<string, string>>;
  body: string;
  /** Cancels the attempt. The outcome of a cancelled attempt says nothing about the receiver. */
  signal?: AbortSignal | undefined;
}

/** The time limit for a response; the same as in the service. */
export const timeoutMs = 15_000;
const maxBytes = 2048;
/** The maximum size of the response headers; the same as in the service. */
const maxHeaderBytes = 65_536;
const maxHeaders = 20;
const maxHeaderLength = 1000;

// Like the service, offers only HTTP/1.1: a receiver that rejects HTTP/1.1 must cause the same failure here.
const https = new HttpsAgent({ keepAlive: true, ALPNProtocols: ['http/1.1'] });
const agents = { http: new HttpAgent({ keepAlive: true }), https };

/** Like the service, follows no redirects. Never rejects: if the URL cannot be called, the attempt has failed. */
export async function postWebhook(url: string, { headers, body, signal }: Post): Promise<Outcome> {
  const ending = new AbortController();
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    ending.abort();
  }, timeoutMs);
  const stop = () => ending.abort();
  signal?.addEventListener('abort', stop);
  try {
    const response = await answerTo(url, { headers, body, signal: ending.signal });
    return { statusCode: response.statusCode ?? 0, error: null, errorDetail: null, ...(await contentOf(response)) };
  } catch (error) {
    const nothing = { responseHeaders: null, responseBody: null, responseTruncated: false };
    return { statusCode: null, ...(isLate ? { error: 'timeout', errorDetail: null } : failureIn(error)), ...nothing };
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', stop);
  }
}

function answerTo(url: string, { headers, body, signal }: Post): Promise<IncomingMessage> {
  const sent = { ...headers, 'Content-Length': Buffer.byteLength(body) };
  const options = { method: 'POST', headers: sent, signal, maxHeaderSize: maxHeaderBytes };
  return new Promise((resolve, reject) => {
    const request = url.startsWith('https:')
      ? httpsRequest(url, { ...options, agent: agents.https })
      : httpRequest(url, { ...options, agent: agents.http });
    request.once('error', reject).once('response', resolve).end(body);
  });
}

async function contentOf(response: IncomingMessage) {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      size += chunk.length;
      // Leaving the `for await` loop also closes the connection, so an endless response ends here.
      if (size > maxBytes) break;
    }
  } catch {
    // The connection broke or timed out during the body; the status code still decides the outcome.
  }
  const headers = Object.entries(response.headers).slice(0, maxHeaders);
  return {
    responseHeaders: Object.fromEntries(
      headers.map(([name, value]) => [name, String(value).slice(0, maxHeaderLength)]),
    ),
    responseBody: Buffer.concat(chunks).subarray(0, maxBytes).toString(),
    responseTruncated: size > maxBytes || !response.complete,
  };
}

const errors: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection_refused',
  ECONNRESET: 'connection_reset',
  EPIPE: 'connection_reset',
  ENOTFOUND: 'dns_failed',
  EAI_AGAIN: 'dns_failed',
};

function failureIn(error: unknown): Pick<Outcome, 'error' | 'errorDetail'> {
  const code = tlsCode(error as Error);
  if (code) return { error: 'tls_failed', errorDetail: tlsFailure(code) };
  return { error: errors[(error as NodeJS.ErrnoException).code ?? ''] ?? 'network_error', errorDetail: null };
}

interface Failure {
  /** A short text for the status column of a table, such as `refused`. */
  word: string;
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
  // Only the service reports `address_refused`, `connect_timeout` and `protocol_error`.
  address_refused: { word: 'forbidden', sentence: 'The service does not deliver to the network of this address.' },
  connect_timeout: { word: 'timeout', sentence: 'No connection was made in time: is the host running?' },
  protocol_error: { word: 'no HTTP', sentence: 'What listens at this address does not speak HTTP.' },
};

export function failureOf({ error, errorDetail }: Partial<Pick<Outcome, 'error' | 'errorDetail'>>): Failure {
  const { word, sentence } = failures[error ?? ''] ?? { word: 'failed', sentence: 'The connection failed.' };
  if (error !== 'tls_failed') return { word, sentence };
  const remedy = 'On your own machine use http://, or name the authority in NODE_EXTRA_CA_CERTS.';
  return { word, sentence: `${errorDetail ?? sentence} ${remedy}` };
}
