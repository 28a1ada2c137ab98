/**
 * The address policy checks literal addresses, because Node does not resolve them; every address of a host name,
 * because Node may connect to any of them; and the address of the connected socket.
 */
import type { LookupAddress, LookupOptions } from 'node:dns';
import { isIP, type Socket } from 'node:net';
import { Agent, buildConnector, type Dispatcher, Pool, ProxyAgent } from 'undici';
import { type Cidr, refusesAddress } from '../kit/address-policy.ts';
import { resolveHost } from '../kit/resolve-host.ts';
import { watchAnswers } from './answer-bytes.ts';
import { AttemptError, deliveryError } from './delivery-error.ts';

interface GuardedAgentSettings {
  allowed: readonly Cidr[];
  connectTimeoutMs: number;
  /** The maximum number of connections to one receiver. */
  connections: number;
  proxyUrl: string | undefined;
}

export interface GuardedAgent {
  shared: Dispatcher;
  /** Opens a new connection for each request. */
  single: Dispatcher;
  /** Whether the request that starts now is the first request on its connection. */
  isFirstOnConnection(): boolean;
  close(): Promise<void>;
  destroy(): Promise<void>;
}

/** Four times Node's default size: a receiver may add a Content-Security-Policy or cookies to each response. */
const maxHeaderBytes = 65_536;

type Connector = buildConnector.connector;
type Refuses = (address: string | undefined) => boolean;
type Lookup = (host: string, options: LookupOptions, callback: LookupCallback) => void;
type LookupCallback = (error: Error | null, address: string | LookupAddress[], family?: number) => void;

export function createGuardedAgent({ allowed, proxyUrl, ...settings }: GuardedAgentSettings): GuardedAgent {
  const { connectTimeoutMs, connections } = settings;
  const refuses: Refuses = (address) => refusesAddress(address ?? '', allowed);
  let isOpening = false;

  const guard = (connectTo: Connector): Connector => {
    return (target, callback) => {
      const isRefused = isIP(target.hostname) !== 0 && refuses(target.hostname);
      if (isRefused) return callback(new AttemptError('address_refused'), null);
      connectTo(target, (error, socket) => {
        if (error) return callback(error, null);
        watchAnswers(socket);
        // The agent starts the request that waits for this connection before `callback` returns.
        isOpening = true;
        callback(null, socket);
        isOpening = false;
      });
    };
  };

  // The sender limits the time of the whole attempt, so the agent needs no time limits for headers and body.
  const timers = { headersTimeout: 0, bodyTimeout: 0 };
  const options = { allowH2: false, connections, maxHeaderSize: maxHeaderBytes, ...timers } as const;
  const create = (pipelining: number): Dispatcher =>
    proxyUrl === undefined
      ? new Agent({ ...options, pipelining, connect: guard(directConnector(refuses, connectTimeoutMs)) })
      : createProxiedAgent({ ...options, pipelining }, { proxyUrl, connectTimeoutMs, refuses, guard });
  const shared = create(1);
  const single = create(0);
  let isDestroyed = false;
  return {
    shared,
    single,
    isFirstOnConnection: () => isOpening,
    async close() {
      // undici throws when a destroyed agent is closed.
      if (!isDestroyed) await Promise.all([shared.close(), single.close()]);
    },
    async destroy() {
      isDestroyed = true;
      await Promise.all([shared.destroy(), single.destroy()]);
    },
  };
}

function directConnector(refuses: Refuses, connectTimeoutMs: number): Connector {
  // Resolving the host name may take half of the time limit. The other half is for connecting.
  const resolve = (host: string) => guardedResolve(host, { refuses, withinMs: connectTimeoutMs / 2 });
  const connectTo = buildConnector({ allowH2: false, timeout: connectTimeoutMs, lookup: lookupBy(resolve) });
  return (target, callback) =>
    connectTo(target, (error, socket) => {
      if (error) return callback(error, null);
      const problem = checkConnected(socket, refuses);
      if (problem) return callback(problem, null);
      callback(null, socket);
    });
}

interface Resolving {
  refuses: Refuses;
  withinMs: number;
}

async function guardedResolve(host: string, { refuses, withinMs }: Resolving): Promise<LookupAddress[]> {
  const answers = await resolveHost(host, withinMs).catch(() => {
    throw new AttemptError('dns_failed');
  });
  if (answers.length === 0 || answers.some(({ address }) => refuses(address))) {
    throw new AttemptError('address_refused');
  }
  return answers;
}

/** With `all`, Node gets every address and tries one after the other. */
function lookupBy(resolve: (host: string) => Promise<LookupAddress[]>): Lookup {
  return (host, { all }, callback) => {
    const give = (answers: LookupAddress[]) => {
      const [first] = answers;
      if (all || !first) callback(null, answers);
      else callback(null, first.address, first.family);
    };
    resolve(host).then(give, (error) => callback(error, []));
  };
}

function checkConnected(socket: Socket, refuses: Refuses): Error | undefined {
  // A socket that has already been closed has no address.
  const problem = socket.remoteAddress === undefined ? 'connection_reset' : 'address_refused';
  if (!refuses(socket.remoteAddress)) return undefined;
  socket.on('error', () => {}).destroy();
  return new AttemptError(problem);
}

interface ProxySettings {
  proxyUrl: string;
  connectTimeoutMs: number;
  refuses: Refuses;
  guard: (connectTo: Connector) => Connector;
}

/**
 * Each connection is a separate tunnel, so the proxy sees neither the content sent to an https address nor the
 * certificate.
 * Choice: the proxy gets the host name, because egress proxies allow or refuse by host name. So a proxy that can reach
 * private addresses must check every address that it connects to: its DNS may return other addresses than ours.
 * See docs/decisions/delivery.md, "An egress proxy gets host names and checks their addresses".
 */
function createProxiedAgent(options: Agent.Options, settings: ProxySettings): Dispatcher {
  const { proxyUrl: uri, connectTimeoutMs, guard } = settings;
  const timed = { allowH2: false, timeout: connectTimeoutMs };
  return new ProxyAgent({
    ...options,
    uri,
    proxyTunnel: true,
    proxyTls: timed,
    requestTls: timed,
    // The proxy answers CONNECT when it has connected to the receiver, so `headersTimeout` is the limit for connecting.
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

/** Only a TLS failure is certainly the receiver's fault: the proxy may refuse or reset a connection itself. */
function errorOf(error: Error): AttemptError {
  return new AttemptError(deliveryError(error) === 'tls_failed' ? 'tls_failed' : 'network_error', { cause: error });
}
