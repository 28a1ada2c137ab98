import type { Dispatcher } from 'undici';
import type { Config } from '../../config.ts';
import { createAnswer } from './answer.ts';
import { AttemptError, type DeliveryError, deliveryError, isReset } from './delivery-error.ts';
import { createGuardedAgent, type GuardedAgent } from './guarded-agent.ts';

interface Posting {
  url: string;
  /** Name, value, name, value and so on. */
  headers: string[];
  body: Buffer;
}

/** The result of one attempt. A failure of the receiver is an outcome and is never thrown. */
export interface Outcome {
  durationMs: number;
  statusCode: number | null;
  /** Null when a complete answer came, with any status. */
  error: DeliveryError | null;
  responseHeaders: Record<string, string> | null;
  responseBody: string | null;
  responseTruncated: boolean;
  retryAfter: string | null;
}

export interface Sender {
  post(posting: Posting): Promise<Outcome>;
  /** Waits for the attempts in flight, then closes all connections. */
  close(): Promise<void>;
  /** Closes all connections at once. Attempts in flight fail. */
  destroy(): Promise<void>;
}

type Reply = Omit<Outcome, 'durationMs'>;

const noReply: Reply = {
  statusCode: null,
  error: null,
  responseHeaders: null,
  responseBody: null,
  responseTruncated: false,
  retryAfter: null,
};

const refused: Reply = { ...noReply, error: 'address_refused' };

/** Each process makes one sender, so that all deliveries share its connections. */
export function createSender(config: Config): Sender {
  const { concurrency: connections, connectTimeoutMs, timeoutMs, proxyUrl } = config.delivery;
  const agent = createGuardedAgent({ allowed: config.webhookAllowCidrs, connectTimeoutMs, connections, proxyUrl });
  const addressOf = createAddressCache();
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

/** A URL in the two parts that undici's dispatcher takes. */
interface Address {
  origin: string;
  path: string;
}

type Addressed = Posting & Address;

const mostAddresses = 1000;

/** Returns a function that parses the URL of an endpoint and remembers the result. */
function createAddressCache(): (url: string) => Address | undefined {
  const known = new Map<string, Address | undefined>();
  return (url) => {
    if (known.has(url)) return known.get(url);
    const address = parseAddress(url);
    if (known.size >= mostAddresses) known.clear();
    known.set(url, address);
    return address;
  };
}

/** Undefined for a text that is not a web address. Registration refuses such a text, and so does the sender. */
function parseAddress(url: string): Address | undefined {
  const { protocol = '', origin = '', pathname = '', search = '' } = URL.parse(url) ?? {};
  return ['http:', 'https:'].includes(protocol) ? { origin, path: pathname + search } : undefined;
}

/**
 * Makes one attempt, within one time limit that includes the answer. It may send the request twice: see
 * `createExchange`.
 */
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
 * One request and its answer. A receiver may close an idle connection in the moment in which a request is sent on it.
 * Most likely it never read that request, so the request is sent again at once on a new connection, as part of the same
 * attempt.
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
    if (!answer) return settle({ ...noReply, error: reason });
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
      // The time ran out while the request waited for a connection.
      if (isOver) abort();
    },
    onResponseStarted() {
      hasBegun = true;
    },
    onResponseStart(_controller, statusCode, headers) {
      // Interim answers, such as 103, come before the final answer.
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
