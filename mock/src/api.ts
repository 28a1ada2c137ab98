/**
 * A stand-in for the service, made from `openapi.yaml` alone: it holds each request to the contract and answers with an
 * example of it, or with the one that the caller prefers. It keeps nothing; what needs memory is the real server's.
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
  /** Called for each request, with one line about it. */
  onAnswer?: (line: string) => void;
}

/** Starts the mock, on a free port when none is given. */
export async function startMock({ port = 0, host = '127.0.0.1', onAnswer }: MockOptions = {}): Promise<Running> {
  const contract = readContract();
  const stopping = new AbortController();
  const front = await createFront(contract, stopping.signal);
  const control = createControl(contract.model, front, stopping.signal);
  const letPagesIn = createCors(contract.model);
  const server = createServer(async (request, response) => {
    letPagesIn(request, response);
    if (isPreflight(request)) {
      response.writeHead(204).end();
      return;
    }
    const answer = await (isControl(request) ? control(request) : front.answer(request)).catch(problemAnswer);
    // Its connection is closed by then.
    if (stopping.signal.aborted) return;
    send(response, answer);
    await tell(onAnswer, lineOf(request, answer));
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
  response
    .writeHead(status, { 'Cache-Control': 'no-store', ...headers })
    .end(body === undefined ? undefined : JSON.stringify(body));
}

/** A listener that fails must not take the mock down with it. */
async function tell(onAnswer: MockOptions['onAnswer'], line: string): Promise<void> {
  try {
    await onAnswer?.(line);
  } catch (error) {
    process.emitWarning(`onAnswer failed: ${inspect(error)}`);
  }
}

function lineOf({ method, url }: IncomingMessage, { status, note }: MockAnswer): string {
  return [status, method, url, note && `(${note})`].filter(Boolean).join(' ');
}
