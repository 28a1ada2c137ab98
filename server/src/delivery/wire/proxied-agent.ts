/**
 * Deliveries through an egress proxy, each in a tunnel of its own, so that the proxy sees neither what is sent to an https
 * address nor whom a certificate names. Literal hosts and the answers of our own DNS are judged before it is asked. Choice:
 * the name itself is left to the proxy, because egress proxies judge by name. So one that can reach anything private must
 * judge every address that it connects to: a name may lead elsewhere for it, and one that we cannot resolve is its alone.
 * See docs/decisions/delivery.md, "Behind an egress proxy the proxy judges names".
 */
import { type Agent, type buildConnector, type Dispatcher, Pool, ProxyAgent } from 'undici';
import { resolveHost } from '../../kit/resolve-host.ts';
import { AttemptError, deliveryError } from './delivery-error.ts';

export type Connector = buildConnector.connector;

interface ProxySettings {
  proxyUrl: string;
  connectTimeoutMs: number;
  refuses: (address: string) => boolean;
  /** What every connection goes through, proxied or not. */
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
    // Its answer to CONNECT comes when it has connected.
    clientFactory: (proxy, inner) => new Pool(proxy, { ...inner, allowH2: false, headersTimeout: connectTimeoutMs }),
    factory: (origin, inner: { connect: Connector }) =>
      new Pool(origin, { ...inner, connect: guard(tunnelled(inner.connect, settings)) }),
  });
}

function tunnelled(connectTo: Connector, { refuses, connectTimeoutMs }: ProxySettings): Connector {
  return async (target, callback) => {
    const answers = await resolveHost(target.hostname, connectTimeoutMs / 2).catch(() => []);
    if (answers.some(({ address }) => refuses(address))) return callback(new AttemptError('address_refused'), null);
    connectTo(target, (error, socket) => (error ? callback(blamed(error), null) : callback(null, socket)));
  };
}

/** Only a failure of TLS is the receiver's for sure; that a connection was refused or reset may be the proxy's doing. */
function blamed(error: Error): AttemptError {
  return new AttemptError(deliveryError(error) === 'tls_failed' ? 'tls_failed' : 'network_error');
}
