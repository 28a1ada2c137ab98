/** A job only sends a plain POST: it does not sign, has no limit for an endpoint, and does not store the response. */
import { Agent, request } from 'undici';

export interface JobEngine {
  enqueue(jobs: number, payload: JobPayload): Promise<void>;
  start(): Promise<void>;
  countLeft(): Promise<number>;
  stop(): Promise<void>;
}

export interface JobPayload {
  body: string;
}

export type Order =
  | { name: 'enqueue'; jobs: number; body: string; url: string; headers: string[] }
  | { name: 'start' }
  | { name: 'countLeft' }
  | { name: 'stop' };

export const jobsInFlight = 256;

const dispatcher = new Agent({ connections: jobsInFlight, pipelining: 1, allowH2: false });
let target: { url: string; headers: string[] } = { url: '', headers: [] };

export async function post({ body }: JobPayload): Promise<void> {
  const response = await request(target.url, { method: 'POST', headers: target.headers, body, dispatcher });
  await response.body.dump();
  if (response.statusCode !== 200) throw new Error(`The receiver answered with ${response.statusCode}.`);
}

export function serveOrders(engine: JobEngine): void {
  process.on('message', async (order: Order) => {
    process.send?.((await runOrder(engine, order)) ?? 'done');
  });
  process.send?.('ready');
}

function runOrder(engine: JobEngine, order: Order): Promise<unknown> {
  if (order.name !== 'enqueue') return engine[order.name]();
  target = { url: order.url, headers: order.headers };
  return engine.enqueue(order.jobs, { body: order.body });
}

export function* inPieces<Item>(count: number, item: Item): Generator<Item[]> {
  const piece = 2000;
  for (let made = 0; made < count; made += piece)
    yield Array.from({ length: Math.min(piece, count - made) }, () => item);
}
