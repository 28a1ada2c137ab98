/**
 * What an engine of jobs is ordered to do in a process of its own, and how each of its jobs is done: the bare POST by
 * `undici.request`, with the connections of the raw sender. A job carries the body and nothing else, and nothing is signed,
 * limited or kept of the answer.
 */
import { Agent, request } from 'undici';

export interface JobEngine {
  /** Saves so many jobs in tables that hold no others, and lets Postgres know its statistics. */
  enqueue(jobs: number, payload: JobPayload): Promise<void>;
  start(): Promise<void>;
  /** How many are not recorded as done. */
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

/** As many as a worker of ours has in flight by default. */
export const jobsInFlight = 256;

const dispatcher = new Agent({ connections: jobsInFlight, pipelining: 1, allowH2: false });
let target: { url: string; headers: string[] } = { url: '', headers: [] };

export async function post({ body }: JobPayload): Promise<void> {
  const response = await request(target.url, { method: 'POST', headers: target.headers, body, dispatcher });
  await response.body.dump();
  if (response.statusCode !== 200) throw new Error(`It was answered ${response.statusCode}.`);
}

/** Obeys the benchmark's orders, one after another. */
export function obey(engine: JobEngine): void {
  process.on('message', async (order: Order) => {
    process.send?.((await carryOut(engine, order)) ?? 'done');
  });
  process.send?.('ready');
}

function carryOut(engine: JobEngine, order: Order): Promise<unknown> {
  if (order.name !== 'enqueue') return engine[order.name]();
  target = { url: order.url, headers: order.headers };
  return engine.enqueue(order.jobs, { body: order.body });
}

/** So many times the same, in pieces that one statement takes well. */
export function* inPieces<Item>(count: number, item: Item): Generator<Item[]> {
  const piece = 2000;
  for (let made = 0; made < count; made += piece)
    yield Array.from({ length: Math.min(piece, count - made) }, () => item);
}
