/**
 * The connections that deliveries go through. Each one is judged three times by the address policy: a literal host, because
 * Node never looks those up; every answer of the name server, because any of them may be connected to; and the address of
 * the connected socket, because that is the one that counts. What cannot be judged is refused.
 */
import { type LookupAddress, type LookupOptions, lookup } from 'node:dns';
import { isIP, type Socket } from 'node:net';
import { Agent, buildConnector, type Dispatcher } from 'undici';
import { type Cidr, refusesAddress } from '../kit/address-policy.ts';
import { AttemptError } from './delivery-error.ts';

interface GuardedAgentSettings {
  allowed: readonly Cidr[];
  connectTimeoutMs: number;
  /** How many connections one receiver may cost us. */
  connections: number;
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

type Lookup = (host: string, options: LookupOptions, callback: LookupCallback) => void;
type LookupCallback = (error: Error | null, address: string | LookupAddress[], family?: number) => void;

export function createGuardedAgent({ allowed, connectTimeoutMs, connections }: GuardedAgentSettings): GuardedAgent {
  const refuses = (address: string | undefined) => refusesAddress(address ?? '', allowed);
  const connectTo = buildConnector({ allowH2: false, timeout: connectTimeoutMs, lookup: guardedLookup(refuses) });
  let isOpening = false;

  const connect: typeof connectTo = (target, callback) => {
    const isRefused = isIP(target.hostname) !== 0 && refuses(target.hostname);
    if (isRefused) return callback(new AttemptError('address_refused'), null);
    connectTo(target, (error, socket) => {
      if (error) return callback(error, null);
      const problem = vet(socket, refuses);
      if (problem) return callback(problem, null);
      // The agent starts the request that waits for this connection before the callback returns.
      isOpening = true;
      callback(null, socket);
      isOpening = false;
    });
  };

  // The time-outs of the whole attempt are the sender's; a second clock in here would only cost.
  const options = { allowH2: false, connect, connections, headersTimeout: 0, bodyTimeout: 0 } as const;
  const shared = new Agent({ ...options, pipelining: 1 });
  const single = new Agent({ ...options, pipelining: 0 });
  return {
    shared,
    single,
    isFirstOnConnection: () => isOpening,
    close: async () => void (await Promise.all([shared.close(), single.close()])),
    destroy: async () => void (await Promise.all([shared.destroy(), single.destroy()])),
  };
}

function guardedLookup(refuses: (address: string) => boolean): Lookup {
  return (host, options, callback) => {
    lookup(host, { ...options, all: true }, (error, answers) => {
      if (error) return callback(error, []);
      if (answers.length === 0 || answers.some(({ address }) => refuses(address))) {
        return callback(new AttemptError('address_refused'), []);
      }
      const [first] = answers;
      if (options.all || !first) callback(null, answers);
      else callback(null, first.address, first.family);
    });
  };
}

function vet(socket: Socket, refuses: (address: string | undefined) => boolean): Error | undefined {
  // A socket that is already gone has no address to judge.
  const problem = socket.remoteAddress === undefined ? 'connection_reset' : 'address_refused';
  if (!refuses(socket.remoteAddress)) return undefined;
  socket.on('error', () => {}).destroy();
  return new AttemptError(problem);
}
