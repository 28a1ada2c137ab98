/** Remembers how often each delivery came and when first. What it read whole and would answer 200 counts as received. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Page {
  from: number;
  size: number;
}

/** What was received, in the order of first arrival. */
export interface Receipt {
  deliveryId: string;
  times: number;
  /** Numbers of attempts: one above 1 follows an attempt that was recorded as failed, such as by a time-out. */
  attempts: string[];
  firstAtMs: number;
}

const [delayMs = 0, refuses = 0] = process.argv.slice(2).map(Number);
const receipts = new Map<string, Receipt>();
const order: Receipt[] = [];
const refused = new Set<string>();

const server = createServer((request, response) => {
  request.resume().once('end', () => {
    if (request.url?.startsWith('/hang')) return;
    const deliveryId = String(request.headers['x-service-delivery-id']);
    const isRefused = refuses > 0 && isToBeRefused(deliveryId);
    if (isRefused) response.statusCode = 500;
    else receive(deliveryId, String(request.headers['x-service-attempt']));
    if (delayMs === 0) response.end('ok');
    else setTimeout(() => response.end('ok'), delayMs);
  });
});
server.keepAliveTimeout = 120_000;
server.listen(0, '127.0.0.1');
await once(server, 'listening');

process.on('message', ({ from, size }: Page) => process.send?.(order.slice(from, from + size)));
process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);

function receive(deliveryId: string, attempt: string): void {
  const receipt = receipts.get(deliveryId);
  if (receipt) {
    receipt.times += 1;
    if (!receipt.attempts.includes(attempt)) receipt.attempts.push(attempt);
    return;
  }
  const first = { deliveryId, times: 1, attempts: [attempt], firstAtMs: Date.now() };
  receipts.set(deliveryId, first);
  order.push(first);
}

/** The end of an id is random, so it decides, and the same delivery is refused once. */
function isToBeRefused(deliveryId: string): boolean {
  if (refused.has(deliveryId) || Number.parseInt(deliveryId.slice(-4), 16) >= refuses * 0x10000) return false;
  refused.add(deliveryId);
  return true;
}
