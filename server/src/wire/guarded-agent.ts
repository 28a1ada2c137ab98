/**
 * The connections over which deliveries are sent. The address policy checks three things: a literal address in the URL,
 * because Node does not look it up; every answer of the name server, because Node may connect to any of them; and the
 * address of the connected socket, because the request goes there. An address that cannot be checked is refused.
 */
import type { LookupAddress, LookupOptions } from 'node:dns';
import { isIP, type Socket } from 'node:net';
import { Agent, buildConnector, type Dispatcher } from 'undici';
import { type Cidr, refusesAddress } from '../kit/address-policy.ts';
import { resolveHost } from '../kit/resolve-host.ts';
import { watchAnswers } from './answer-bytes.ts';
import { AttemptError } from './delivery-error.ts';
import { type Connector, createProxiedAgent } from './proxied-agent.ts';

interface GuardedAgentSettings {
  allowed: readonly Cidr[];
  connectTimeoutMs: number;
  /** The most connections to one receiver. */
  connections: number;
  /** The egress proxy for all connections. Undefined when there is none. */
  proxyUrl: string | undefined;
}

export interface GuardedAgent {
  /** Keeps connections open and uses them again. */
  shared: Dispatcher;
  /** Opens a new connection for each request. */
  single: Dispatcher;
  /** Whether the request that is just starting is the first on its connection. */
  isFirstOnConnection(): boolean;
  close(): Promise<void>;
  destroy(): Promise<void>;
}

/** Four times what Node takes: a receiver may add a policy or cookies to each answer. */
const mostHeaderBytes = 65_536;

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
        // The agent starts the request that waits for this connection before the callback returns.
        isOpening = true;
        callback(null, socket);
        isOpening = false;
      });
    };
  };

  // The sender limits the time of the whole attempt, so the agent needs no timers for headers and body.
  const timers = { headersTimeout: 0, bodyTimeout: 0 };
  const options = { allowH2: false, connections, maxHeaderSize: mostHeaderBytes, ...timers } as const;
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
      // undici refuses to close what is destroyed.
      if (!isDestroyed) await Promise.all([shared.close(), single.close()]);
    },
    async destroy() {
      isDestroyed = true;
      await Promise.all([shared.destroy(), single.destroy()]);
    },
  };
}

function directConnector(refuses: Refuses, connectTimeoutMs: number): Connector {
  // The lookup of the name gets half of the time, so that the other half remains to connect.
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

/** Node asks for all addresses and tries one after the other, unless that was switched off. */
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

/** Destroys a socket that is connected to a refused address, and returns the error. */
function checkConnected(socket: Socket, refuses: Refuses): Error | undefined {
  // A socket that was closed meanwhile has no address any more.
  const problem = socket.remoteAddress === undefined ? 'connection_reset' : 'address_refused';
  if (!refuses(socket.remoteAddress)) return undefined;
  socket.on('error', () => {}).destroy();
  return new AttemptError(problem);
}
