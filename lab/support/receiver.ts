/**
 * A receiver that answers immediately, so that it costs every contender the same. It never answers requests to
 * `/hanging`, answers `/slow` late, and does not count these requests.
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { unwrap } from '@tillhook/sdk/webhooks';

export interface Expectation {
  expected: number;
  skipped?: number;
  isTimed?: boolean;
}

export interface Receipts {
  received: number;
  seconds: number;
}

/** The delay of answers to `/slow`, which is a little shorter than the timeout of a delivery. */
const slowAnswerMs = 14_000;

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
