/**
 * The connections that deliveries go through. Each one is judged three times by the address policy: a literal host, because
 * Node never looks those up; every answer of the name server, because any of them may be connected to; and the address of
 * the connected socket, because that is the one that counts. What cannot be judged is refused.
 */
import type { LookupAddress, LookupOptions } from 'node:dns';
import { isIP, type Socket } from 'node:net';
import { Agent, buildConnector, type Dispatcher } from 'undici';
import { type Cidr, refusesAddress } from '../../kit/address-policy.ts';
import { resolveHost } from '../../kit/resolve-host.ts';
import { AttemptError } from './delivery-error.ts';
import { type Connector, createProxiedAgent } from './proxied-agent.ts';
import { limitAnswer } from './read-limit.ts';

interface GuardedAgentSettings {
  allowed: readonly Cidr[];
  connectTimeoutMs: number;
  /** How many connections one receiver may cost us. */
  connections: number;
  /** All connections go through it when there is one. */
  proxyUrl: string | undefined;
}

export interface GuardedAgent {
  /** Keeps connections open and uses them again. */
  shared: Dispatcher;
  /** A new connection for each request. */
  single: Dispatcher;
  /** Whether the request that starts right now is the first on its connection. */
  isFirstOnConnection(): boolean;
  close(): Promise<void>;
  destroy(): Promise<void>;
}

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
        limitAnswer(socket);
        // The agent starts the request that waits for this connection before the callback returns.
        isOpening = true;
        callback(null, socket);
        isOpening = false;
      });
    };
  };

  // The time-outs of the whole attempt are the sender's; a second clock in here would only cost.
  const options = { allowH2: false, connections, headersTimeout: 0, bodyTimeout: 0 } as const;
  const create = (pipelining: number): Dispatcher =>
    proxyUrl === undefined
      ? new Agent({ ...options, pipelining, connect: guard(directly(refuses, connectTimeoutMs)) })
      : createProxiedAgent({ ...options, pipelining }, { proxyUrl, connectTimeoutMs, refuses, guard });
  const shared = create(1);
  const single = create(0);
  return {
    shared,
    single,
    isFirstOnConnection: () => isOpening,
    close: async () => void (await Promise.all([shared.close(), single.close()])),
    destroy: async () => void (await Promise.all([shared.destroy(), single.destroy()])),
  };
}

function directly(refuses: Refuses, connectTimeoutMs: number): Connector {
  // A name that takes half of the time leaves the other half to connect.
  const resolve = (host: string) => guardedResolve(host, { refuses, withinMs: connectTimeoutMs / 2 });
  const connectTo = buildConnector({ allowH2: false, timeout: connectTimeoutMs, lookup: lookupBy(resolve) });
  return (target, callback) =>
    connectTo(target, (error, socket) => {
      if (error) return callback(error, null);
      const problem = vet(socket, refuses);
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

/** Node asks for all addresses, to try them in turn, unless that was switched off. */
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

function vet(socket: Socket, refuses: Refuses): Error | undefined {
  // A socket that is already gone has no address to judge.
  const problem = socket.remoteAddress === undefined ? 'connection_reset' : 'address_refused';
  if (!refuses(socket.remoteAddress)) return undefined;
  socket.on('error', () => {}).destroy();
  return new AttemptError(problem);
}
