/**
 * Sends deliveries through an egress proxy. Each connection is a separate tunnel, so that the proxy sees neither the
 * content sent to an https address nor the certificate. Literal addresses and the answers of our own DNS are checked
 * before the proxy is asked.
 * Choice: the proxy connects by name, because egress proxies decide by name. So a proxy that can reach private
 * addresses must check every address that it connects to: its DNS may give other answers than ours, or an answer where
 * ours gives none.
 * See docs/decisions/delivery.md, "Behind an egress proxy the proxy judges names".
 */
import { type Agent, type buildConnector, type Dispatcher, Pool, ProxyAgent } from 'undici';
import { resolveHost } from '../kit/resolve-host.ts';
import { AttemptError, deliveryError } from './delivery-error.ts';

export type Connector = buildConnector.connector;

interface ProxySettings {
  proxyUrl: string;
  connectTimeoutMs: number;
  refuses: (address: string) => boolean;
  /** Adds the checks that every connection needs, with a proxy or without. */
  guard: (connectTo: Connector) => Connector;
}

export function createProxiedAgent(options: Agent.Options, settings: ProxySettings): Dispatcher {
  const { proxyUrl: uri, connectTimeoutMs, guard } = settings;
  const timed = { allowH2: false, timeout: connectTimeoutMs };
  return new ProxyAgent({
    ...options,
    uri,
    proxyTunnel: true,
    proxyTls: timed,
    requestTls: timed,
    // The proxy answers CONNECT when it has connected to the receiver, so this is the limit for connecting.
    clientFactory: (proxy, inner) => new Pool(proxy, { ...inner, allowH2: false, headersTimeout: connectTimeoutMs }),
    factory: (origin, inner: { connect: Connector }) =>
      new Pool(origin, { ...inner, connect: guard(tunnelConnector(inner.connect, settings)) }),
  });
}

function tunnelConnector(connectTo: Connector, { refuses, connectTimeoutMs }: ProxySettings): Connector {
  return async (target, callback) => {
    const answers = await resolveHost(target.hostname, connectTimeoutMs / 2).catch(() => []);
    if (answers.some(({ address }) => refuses(address))) return callback(new AttemptError('address_refused'), null);
    connectTo(target, (error, socket) => (error ? callback(errorOf(error), null) : callback(null, socket)));
  };
}

/** Only a failure of TLS certainly comes from the receiver. A refused or reset connection may come from the proxy. */
function errorOf(error: Error): AttemptError {
  return new AttemptError(deliveryError(error) === 'tls_failed' ? 'tls_failed' : 'network_error', { cause: error });
}
