/**
 * A receiver that counts requests and answers immediately, so that it costs every contender the same. It records times
 * only on request. It never answers requests to `/hanging`, answers requests to `/slow` late, and counts neither of
 * these requests. It answers requests to `/after/50` after 50 milliseconds, and counts these requests. If its argument
 * is a signing secret, the receiver verifies each webhook, and exits if a signature is wrong.
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { unwrap } from '@tillhook/sdk/webhooks';

/** A message that resets the count, and asks for an answer when this number of requests has arrived. */
export interface Expectation {
  expected: number;
  /** The number of requests before the measurement starts. */
  skipped?: number;
  /** Whether to record the event and the time of each request, for a later message `arrivals`. */
  isTimed?: boolean;
}

export interface Receipts {
  received: number;
  /** The seconds between the first and the last receipt, without skipped requests. */
  seconds: number;
}

/** The delay of answers to `/slow`, which is a little shorter than the timeout of a delivery. */
const slowAnswerMs = 14_000;

/** The id of an event, and the time of its arrival in milliseconds since 1970. */
export type Arrival = [eventId: string, at: number];

let expectation: Expectation = { expected: 0 };
let received = 0;
let firstAt = 0;
let arrivals: Arrival[] = [];

const [, , secret] = process.argv;

const server = createServer((request, response) => {
  if (secret) void verify(request, secret).then(() => count(request, response));
  else request.resume().once('end', () => count(request, response));
});
server.keepAliveTimeout = 120_000;
server.listen(0, '127.0.0.1');
await once(server, 'listening');

process.on('message', (question: Expectation | 'count' | 'arrivals') => {
  if (question === 'count') return answer();
  if (question === 'arrivals') return process.send?.(arrivals);
  expectation = question;
  received = 0;
  arrivals = [];
});
process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);

async function verify(request: IncomingMessage, signingSecret: string): Promise<void> {
  await unwrap(await buffer(request), request.headers, signingSecret);
}

function count(request: IncomingMessage, response: ServerResponse): void {
  if (request.url === '/hanging') return;
  if (request.url === '/slow') return void setTimeout(() => response.end('ok'), slowAnswerMs);
  const [, delay] = /^\/after\/(\d+)$/.exec(request.url ?? '') ?? [];
  if (delay) setTimeout(() => response.end('ok'), Number(delay));
  else response.end('ok');
  received += 1;
  if (expectation.isTimed) arrivals.push([String(request.headers['webhook-id']), now()]);
  if (received === 1 + (expectation.skipped ?? 0)) firstAt = performance.now();
  if (received === expectation.expected) answer();
}

/** Returns the time of the clock that Postgres also uses, but with fractions of milliseconds. */
function now(): number {
  return performance.timeOrigin + performance.now();
}

function answer(): void {
  process.send?.({ received, seconds: (performance.now() - firstAt) / 1000 } satisfies Receipts);
}
