import type { Config } from '../config/config.ts';
import { Flight, type Outcome } from './flight.ts';
import { createGuardedAgent } from './guarded-agent.ts';
import { createOrigins } from './origins.ts';
import { createTimeLimit } from './time-limit.ts';

interface Posting {
  url: string;
  /** A flat list: name, value, name, value and so on. */
  headers: string[];
  body: Buffer;
}

export interface Sender {
  /** The time limit of an attempt includes reading the answer. */
  post(posting: Posting): Promise<Outcome>;
  hostOf(url: string): string | undefined;
  /** Waits for the attempts in flight, then closes all connections. */
  close(): Promise<void>;
  /** Closes all connections at once. Attempts in flight fail. */
  destroy(): Promise<void>;
}

const refused: Outcome = {
  durationMs: 0,
  statusCode: null,
  error: 'address_refused',
  errorCause: null,
  responseHeaders: null,
  responseBody: null,
  responseTruncated: false,
  retryAfter: null,
};

/** All deliveries of a process share the connections of one sender. */
export function createSender(config: Config): Sender {
  const { concurrency: connections, connectTimeoutMs, timeoutMs, proxyUrl } = config.delivery;
  const agent = createGuardedAgent({ allowed: config.webhookAllowCidrs, connectTimeoutMs, connections, proxyUrl });
  const origins = createOrigins(connections);
  const shared = { agent, origins, timeLimit: createTimeLimit(timeoutMs) };
  const addressOf = createAddressCache();
  return {
    post({ url, headers, body }) {
      const address = addressOf(url);
      if (!address) return Promise.resolve(refused);
      const { origin, path } = address;
      return new Promise((resolve) => {
        new Flight(shared, { origin, path, method: 'POST', headers, body }, resolve).start();
      });
    },
    hostOf: (url) => addressOf(url)?.host,
    close() {
      origins.dispatchAll();
      return agent.close();
    },
    destroy() {
      const destroyed = agent.destroy();
      origins.dispatchAll();
      return destroyed;
    },
  };
}

interface Address {
  origin: string;
  path: string;
  host: string;
}

const maxAddresses = 1000;

function createAddressCache(): (url: string) => Address | undefined {
  const known = new Map<string, Address | undefined>();
  return (url) => {
    const found = known.get(url);
    if (found || known.has(url)) return found;
    const address = parseAddress(url);
    if (known.size >= maxAddresses) known.clear();
    known.set(url, address);
    return address;
  };
}

function parseAddress(url: string): Address | undefined {
  const { protocol = '', origin = '', pathname = '', search = '', host = '' } = URL.parse(url) ?? {};
  return ['http:', 'https:'].includes(protocol) ? { origin, path: pathname + search, host } : undefined;
}
