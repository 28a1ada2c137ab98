/** Counts what it is sent, keeps nothing and answers at once: its cost is the same for every contender. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Asks for the count to begin anew, and for an answer once so many were received. */
export interface Expectation {
  expected: number;
}

export interface Receipts {
  received: number;
  /** From the first receipt to the last. */
  seconds: number;
}

let expected = 0;
let received = 0;
let firstAt = 0;

const server = createServer((request, response) => {
  request.resume().once('end', () => {
    response.end('ok');
    received += 1;
    if (received === 1) firstAt = performance.now();
    if (received === expected) answer();
  });
});
server.keepAliveTimeout = 120_000;
server.listen(0, '127.0.0.1');
await once(server, 'listening');

process.on('message', (question: Expectation | 'count') => {
  if (question === 'count') return answer();
  ({ expected } = question);
  received = 0;
});
process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);

function answer(): void {
  process.send?.({ received, seconds: (performance.now() - firstAt) / 1000 } satisfies Receipts);
}
