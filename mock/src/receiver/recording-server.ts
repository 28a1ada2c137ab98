import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { type Address, listen, type Running } from '../listening.ts';

/** A received request. */
export interface Recorded {
  method: string;
  /** The path, including the query. */
  path: string;
  headers: IncomingHttpHeaders;
  /** The body, unchanged. */
  body: Buffer;
  receivedAt: Date;
}

/** A response, `hang` to send no response, or `destroy` to close the connection without a response. */
export type Answer = Reply | 'hang' | 'destroy';

/** A response. By default the status is 200, the body is `ok`, and there is no delay. */
export interface Reply {
  status?: number;
  headers?: Record<string, string>;
  body?: string | Buffer;
  delayMs?: number;
}

export type AnswerFunction = (request: Recorded) => Answer | Promise<Answer>;

/** Starts an HTTP server that reads each request completely before it decides the response. */
export async function startRecordingServer(address: Required<Address>, answering: AnswerFunction): Promise<Running> {
  const stopping = new AbortController();
  const server = createServer(async (request, response) => {
    const recorded = await readRequest(request);
    if (recorded) await sendAnswer(response, await answering(recorded), stopping.signal);
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

/** Returns null if the sender closed the connection before the end of the body. */
async function readRequest(request: IncomingMessage): Promise<Recorded | null> {
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

async function sendAnswer(response: ServerResponse, answer: Answer, stopping: AbortSignal): Promise<void> {
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
