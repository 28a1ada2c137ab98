/**
 * Counts what it is sent, keeps nothing and answers at once: its cost is the same for every contender. It keeps times only when
 * it is asked to. What is posted to `/hanging` is never answered and what is posted to `/slow` late; neither is counted.
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Asks for the count to begin anew, and for an answer once so many were received. */
export interface Expectation {
  expected: number;
  /** So many come before the clock starts. */
  skipped?: number;
  /** Whether the event and the time of each are kept, for `arrivals`. */
  isTimed?: boolean;
}

export interface Receipts {
  received: number;
  /** From the first receipt to the last, without those that were skipped. */
  seconds: number;
}

/** Just within the time-out of a delivery. */
const slowAnswerMs = 14_000;

/** An event, and when it arrived in milliseconds since 1970. */
export type Arrival = [eventId: string, at: number];

let expectation: Expectation = { expected: 0 };
let received = 0;
let firstAt = 0;
let arrivals: Arrival[] = [];

const server = createServer((request, response) => {
  request.resume().once('end', () => {
    if (request.url === '/hanging') return;
    if (request.url === '/slow') return setTimeout(() => response.end('ok'), slowAnswerMs);
    response.end('ok');
    received += 1;
    if (expectation.isTimed) arrivals.push([String(request.headers['webhook-id']), now()]);
    if (received === 1 + (expectation.skipped ?? 0)) firstAt = performance.now();
    if (received === expectation.expected) answer();
  });
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

/** Finer than the clock on the wall, and the same as Postgres's. */
function now(): number {
  return performance.timeOrigin + performance.now();
}

function answer(): void {
  process.send?.({ received, seconds: (performance.now() - firstAt) / 1000 } satisfies Receipts);
}
