/** A delivery counts as received if its body was complete and the receiver did not refuse the delivery. */
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export interface Page {
  from: number;
  size: number;
}

export interface Question {
  arrivedOf: string[];
}

export interface Receipt {
  deliveryId: string;
  reference: string;
  attempts: string[];
  /** The time of the first accepted arrival; null if the receiver has refused all arrivals. */
  firstAtMs: number | null;
}

const [delayMs = 0, refuses = 0] = process.argv.slice(2).map(Number);
const receipts = new Map<string, Receipt>();
const order: Receipt[] = [];

const server = createServer(async (request, response) => {
  const body = await text(request).catch(() => undefined);
  if (body === undefined || request.url?.startsWith('/hang')) return;
  if (!take(request, body)) response.statusCode = 500;
  if (delayMs === 0 || request.url?.startsWith('/at-once')) response.end('ok');
  else setTimeout(() => response.end('ok'), delayMs);
});
server.keepAliveTimeout = 120_000;
server.listen(0, '127.0.0.1');
await once(server, 'listening');

process.on('message', (message: Page | Question) => {
  if ('arrivedOf' in message) process.send?.(message.arrivedOf.filter((id) => receipts.has(id)));
  else process.send?.(order.slice(message.from, message.from + message.size));
});
process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);

function take({ headers }: IncomingMessage, body: string): boolean {
  const deliveryId = String(headers['x-service-delivery-id']);
  const receipt = receipts.get(deliveryId) ?? begin(deliveryId, body);
  const isRefused = receipt.attempts.length === 0 && isToBeRefused(deliveryId);
  receipt.attempts.push(String(headers['x-service-attempt']));
  if (!isRefused) receipt.firstAtMs ??= Date.now();
  return !isRefused;
}

function begin(deliveryId: string, body: string): Receipt {
  const receipt = { deliveryId, reference: JSON.parse(body).data.reference, attempts: [], firstAtMs: null };
  receipts.set(deliveryId, receipt);
  order.push(receipt);
  return receipt;
}

/** The last four characters of a delivery's id are random, so they decide whether its first attempt is refused. */
function isToBeRefused(deliveryId: string): boolean {
  return Number.parseInt(deliveryId.slice(-4), 16) < refuses * 0x10000;
}
