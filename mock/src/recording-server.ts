import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { type Address, listen, type Running } from './command.ts';

/** A request as it arrived. */
export interface Recorded {
  method: string;
  /** With the query. */
  path: string;
  headers: IncomingHttpHeaders;
  /** Exactly the bytes that were sent. */
  body: Buffer;
  receivedAt: Date;
}

/** How to answer: `hang` never does, `destroy` closes the connection instead. */
export type Answer = Reply | 'hang' | 'destroy';

/** 200 `ok` at once, but for what is said here. */
export interface Reply {
  status?: number;
  headers?: Record<string, string>;
  body?: string | Buffer;
  delayMs?: number;
}

export type Answering = (request: Recorded) => Answer | Promise<Answer>;

/** An HTTP server that reads each request to its end before it asks how to answer. */
export async function startRecordingServer(address: Required<Address>, answering: Answering): Promise<Running> {
  const stopping = new AbortController();
  const server = createServer(async (request, response) => {
    const recorded = await record(request);
    if (recorded) await give(response, await answering(recorded), stopping.signal);
  });
  const running = await listen(server, address);
  return {
    ...running,
    stop: () => {
      stopping.abort();
      return running.stop();
    },
  };
}

/** Null when the sender left in the middle of its body. */
async function record(request: IncomingMessage): Promise<Recorded | null> {
  const receivedAt = new Date();
  const { method = 'GET', url: path = '/', headers } = request;
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of request) chunks.push(chunk);
  } catch {
    return null;
  }
  return { method, path, headers, body: Buffer.concat(chunks), receivedAt };
}

async function give(response: ServerResponse, answer: Answer, stopping: AbortSignal): Promise<void> {
  if (answer === 'hang') return;
  if (answer === 'destroy') {
    response.destroy();
    return;
  }
  const { status = 200, headers = {}, body = 'ok', delayMs = 0 } = answer;
  if (delayMs > 0) await wait(delayMs, undefined, { signal: stopping }).catch(() => undefined);
  if (stopping.aborted) return;
  response.writeHead(status, { 'Content-Type': 'text/plain; charset=utf-8', ...headers }).end(body);
}
