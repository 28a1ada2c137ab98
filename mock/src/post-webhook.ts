/**
 * Posts one webhook and returns the outcome of the attempt. With Node's own client, because its `fetch` takes four
 * times the processor time, and a sender of thousands of events would fall behind.
 */
import { type ClientRequest, Agent as HttpAgent, request as httpRequest } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';

export interface Outcome {
  statusCode: number | null;
  /** Why there was no answer; null if one came. */
  error: string | null;
}

interface Post {
  headers: Readonly<Record<string, string>>;
  body: string;
  /** Ends the attempt, whose outcome then says nothing about the receiver. */
  signal?: AbortSignal | undefined;
}

/** As long as the service waits for an answer. */
const timeoutMs = 15_000;

const agents = { http: new HttpAgent({ keepAlive: true }), https: new HttpsAgent({ keepAlive: true }) };

/** Follows no redirects, as the service does. */
export async function postWebhook(url: string, { headers, body, signal }: Post): Promise<Outcome> {
  const options = { method: 'POST', headers: { ...headers, 'Content-Length': Buffer.byteLength(body) } };
  const request = url.startsWith('https:')
    ? httpsRequest(url, { ...options, agent: agents.https })
    : httpRequest(url, { ...options, agent: agents.http });
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    request.destroy();
  }, timeoutMs);
  const stop = () => request.destroy();
  signal?.addEventListener('abort', stop);
  try {
    return { statusCode: await statusOf(request.end(body)), error: null };
  } catch (error) {
    return { statusCode: null, error: isLate ? 'timeout' : errorOf(error) };
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', stop);
  }
}

function statusOf(request: ClientRequest): Promise<number> {
  return new Promise((resolve, reject) => {
    request.once('error', reject);
    request.once('response', (response) => {
      // The status is the whole outcome. The rest of the answer is read so that the connection can be used again.
      response.resume().setTimeout(timeoutMs, () => response.destroy());
      resolve(response.statusCode ?? 0);
    });
  });
}

/** The errors of a delivery, by the codes of network failures. */
const errors: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection_refused',
  ECONNRESET: 'connection_reset',
  EPIPE: 'connection_reset',
  ENOTFOUND: 'dns_failed',
  EAI_AGAIN: 'dns_failed',
  EPROTO: 'tls_failed',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'tls_failed',
  SELF_SIGNED_CERT_IN_CHAIN: 'tls_failed',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'tls_failed',
  ERR_TLS_CERT_ALTNAME_INVALID: 'tls_failed',
};

function errorOf(error: unknown): string {
  return errors[(error as NodeJS.ErrnoException).code ?? ''] ?? 'network_error';
}
