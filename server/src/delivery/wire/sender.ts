import type { Dispatcher } from 'undici';
import type { Config } from '../../config.ts';
import { createAnswer } from './answer.ts';
import { AttemptError, type DeliveryError, deliveryError, isReset } from './delivery-error.ts';
import { createGuardedAgent, type GuardedAgent } from './guarded-agent.ts';

interface Posting {
  url: string;
  /** Name and value in turn. */
  headers: string[];
  body: Buffer;
}

/** What came of a posting. A receiver's fault is an outcome, never a throw. */
export interface Outcome {
  durationMs: number;
  statusCode: number | null;
  /** Null when a complete answer came, whatever it was. */
  error: DeliveryError | null;
  responseHeaders: Record<string, string> | null;
  responseBody: string | null;
  responseTruncated: boolean;
  retryAfter: string | null;
}

export interface Sender {
  post(posting: Posting): Promise<Outcome>;
  /** Lets go of idle connections once what is in flight has ended. */
  close(): Promise<void>;
  /** Cuts what is in flight. */
  destroy(): Promise<void>;
}

type Reply = Omit<Outcome, 'durationMs'>;

const nothing: Reply = {
  statusCode: null,
  error: null,
  responseHeaders: null,
  responseBody: null,
  responseTruncated: false,
  retryAfter: null,
};

const refused: Reply = { ...nothing, error: 'address_refused' };

/** A process has one sender, and with it one pool of connections. */
export function createSender(config: Config): Sender {
  const { concurrency: connections, connectTimeoutMs, timeoutMs, proxyUrl } = config.delivery;
  const agent = createGuardedAgent({ allowed: config.webhookAllowCidrs, connectTimeoutMs, connections, proxyUrl });
  const addressOf = rememberAddresses();
  return {
    async post(posting) {
      const start = performance.now();
      const address = addressOf(posting.url);
      const reply = address ? await exchange(agent, { ...posting, ...address }, timeoutMs) : refused;
      return { ...reply, durationMs: Math.round(performance.now() - start) };
    },
    close: agent.close,
    destroy: agent.destroy,
  };
}

/** A URL as a dispatcher takes it. */
interface Address {
  origin: string;
  path: string;
}

type Addressed = Posting & Address;

const mostAddresses = 1000;

/** Reads the addresses of endpoints, and remembers what it read. */
function rememberAddresses(): (url: string) => Address | undefined {
  const known = new Map<string, Address | undefined>();
  return (url) => {
    if (known.has(url)) return known.get(url);
    const address = addressOf(url);
    if (known.size >= mostAddresses) known.clear();
    known.set(url, address);
    return address;
  };
}

/** Undefined for what is no web address: registration sees to that, and what cannot be judged is refused here too. */
function addressOf(url: string): Address | undefined {
  const { protocol = '', origin = '', pathname = '', search = '' } = URL.parse(url) ?? {};
  return ['http:', 'https:'].includes(protocol) ? { origin, path: pathname + search } : undefined;
}

/** One posting within one time limit, answer included. */
function exchange(agent: GuardedAgent, posting: Addressed, timeoutMs: number): Promise<Reply> {
  return new Promise((resolve) => {
    let current: Exchange | undefined;
    const timer = setTimeout(() => current?.fail(new AttemptError('timeout')), timeoutMs);
    const settle = (reply: Reply) => {
      clearTimeout(timer);
      resolve(reply);
    };
    const start = (dispatcher: Dispatcher, mayRepeat: boolean) => {
      current = createExchange(agent, settle, mayRepeat ? () => start(agent.single, false) : undefined);
      current.dispatch(dispatcher, posting);
    };
    start(agent.shared, true);
  });
}

interface Exchange {
  dispatch(dispatcher: Dispatcher, posting: Addressed): void;
  fail(error: Error): void;
}

/**
 * Receivers close idle connections, and a request may be on its way at that moment. Such a request was most likely never
 * read: it is repeated at once on a new connection, as the same attempt.
 */
function createExchange(
  agent: GuardedAgent,
  settle: (reply: Reply) => void,
  repeat: (() => void) | undefined,
): Exchange {
  let answer: ReturnType<typeof createAnswer> | undefined;
  let controller: Dispatcher.DispatchController | undefined;
  let isOver = false;
  let isReused = false;
  let hasBegun = false;

  const end = (error: unknown) => {
    if (isOver) return;
    isOver = true;
    if (repeat && isReused && !hasBegun && isReset(error)) return repeat();
    const reason = error === undefined ? null : deliveryError(error);
    if (!answer) return settle({ ...nothing, error: reason });
    const { statusCode, headers, body, isTruncated, retryAfter } = answer.read();
    settle({
      statusCode,
      error: reason,
      responseHeaders: headers,
      responseBody: body,
      responseTruncated: isTruncated,
      retryAfter,
    });
  };
  const abort = () => controller?.abort(new Error('No more of the answer is needed.'));

  const handler: Dispatcher.DispatchHandler = {
    onRequestStart(started) {
      controller = started;
      isReused = !agent.isFirstOnConnection();
      // Time ran out while it waited for a connection.
      if (isOver) abort();
    },
    onResponseStarted() {
      hasBegun = true;
    },
    onResponseStart(_controller, statusCode, headers) {
      // Interim answers such as 103 come before the answer.
      if (statusCode >= 200) answer = createAnswer(statusCode, headers);
    },
    onResponseData(_controller, chunk) {
      if (isOver || !answer?.add(chunk)) return;
      end(undefined);
      abort();
    },
    onResponseEnd: () => end(undefined),
    onResponseError: (_controller, error) => end(error),
  };
  return {
    dispatch(dispatcher, { origin, path, headers, body }) {
      dispatcher.dispatch({ origin, path, method: 'POST', headers, body }, handler);
    },
    fail(error) {
      end(error);
      abort();
    },
  };
}
