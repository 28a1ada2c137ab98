/**
 * The mock stands in for the service and needs only `openapi.yaml`. It checks each request against the contract, and
 * answers with an example of the contract: the usual one, or the one that the caller prefers. It stores nothing.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { inspect } from 'node:util';
import { readContract } from '@tillhook/openapi';
import { type Address, listen, type Running } from './command.ts';
import { createControl, isControl } from './control.ts';
import { createCors, isPreflight } from './cors.ts';
import { createFront } from './front.ts';
import { type MockAnswer, problemAnswer } from './prism.ts';

export interface MockOptions extends Address {
  /** Called after each answer, with one line about the request. */
  onAnswer?: (line: string) => void;
}

/** Starts the mock; on a free port when `port` is omitted. */
export async function startMock({ port = 0, host = '127.0.0.1', onAnswer }: MockOptions = {}): Promise<Running> {
  const contract = readContract();
  const stopping = new AbortController();
  const front = await createFront(contract, stopping.signal);
  const control = createControl(contract.model, front, stopping.signal);
  const setCorsHeaders = createCors(contract.model);
  const server = createServer(async (request, response) => {
    setCorsHeaders(request, response);
    if (isPreflight(request)) {
      response.writeHead(204).end();
      return;
    }
    const answer = await (isControl(request) ? control(request) : front.answer(request)).catch(problemAnswer);
    // While the mock stops, the connection is closed already.
    if (stopping.signal.aborted) return;
    send(response, answer);
    await callListener(onAnswer, lineOf(request, answer));
  });
  const running = await listen(server, { port, host });
  return {
    ...running,
    stop: () => {
      stopping.abort();
      return running.stop();
    },
  };
}

function send(response: ServerResponse, { status, headers, body }: MockAnswer): void {
  // Only CSV is text by itself.
  const text = typeof body === 'string' || body === undefined ? body : JSON.stringify(body);
  response.writeHead(status, { 'Cache-Control': 'no-store', ...headers }).end(text);
}

/** Calls the listener. An error in it becomes a warning, so that it does not end the mock. */
async function callListener(onAnswer: MockOptions['onAnswer'], line: string): Promise<void> {
  try {
    await onAnswer?.(line);
  } catch (error) {
    process.emitWarning(`onAnswer failed: ${inspect(error)}`);
  }
}

function lineOf({ method, url }: IncomingMessage, { status, note }: MockAnswer): string {
  return [status, method, url, note && `(${note})`].filter(Boolean).join(' ');
}
