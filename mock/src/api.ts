/**
 * The mock stands in for the service and needs only the contract. It checks each request against the contract, and
 * answers with an example of the contract: the usual one, or the one that the caller prefers. What is made on it, it
 * remembers while it runs, and a checkout has a page on which it is paid.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { inspect } from 'node:util';
import { type Model, readContract } from '@tillhook/openapi';
import { closeWithUnreadBody } from '@tillhook/openapi/refusals/unread-body';
import { answerAll, followRequests, unreadOptions } from '@tillhook/openapi/refusals/unread-request';
import { createCheckoutPages, isCheckoutPage } from './checkout-page/checkout-pages.ts';
import { type Address, listen, type Running } from './command.ts';
import { createControl, isControl } from './control.ts';
import { answerPreflight, createCors, isPreflight } from './cors.ts';
import { createErrorsPage, isErrorsPage } from './errors-page.ts';
import { createFront, type Front } from './front.ts';
import { serviceUrlOf } from './memory/memory.ts';
import { urlOf, withOwnLinks } from './own-links.ts';
import { type MockAnswer, problemAnswer } from './prism.ts';
import { Refusal } from './refusal.ts';

export interface MockOptions extends Address {
  /** Called after each answer, with one line about the request. */
  onAnswer?: (line: string) => void;
  /** The address with which links in answers begin. When omitted, the address by which the caller reached the mock. */
  publicUrl?: string;
  /** False for a mock that answers by examples alone, so that the same call always has the same answer. */
  remembers?: boolean;
}

/** Starts the mock; on a free port when `port` is omitted. */
export async function startMock(options: MockOptions = {}): Promise<Running> {
  const { port = 0, host = '127.0.0.1', onAnswer, publicUrl, remembers = true } = options;
  const contract = readContract();
  const stopping = new AbortController();
  const front = await createFront(contract, { stopping: stopping.signal, remembers });
  const answerOf = createAnswers(contract.model, front);
  const setCorsHeaders = createCors(contract.model);
  const serviceUrl = serviceUrlOf(contract.model);
  const serve = async (request: IncomingMessage, response: ServerResponse) => {
    closeWithUnreadBody(request, response);
    setCorsHeaders(request, response);
    if (isPreflight(request)) {
      answerPreflight(response);
      return;
    }
    const answer = await answerOf(request).catch(problemAnswer);
    // While the mock stops, the connection is closed already.
    if (stopping.signal.aborted) return;
    const body = withOwnLinks(answer.body, serviceUrl, publicUrl ?? urlOf(request, running.url));
    send(response, { ...answer, body });
    await callListener(onAnswer, lineOf(answer, request));
  };
  const server = createServer(unreadOptions);
  answerAll(server, followRequests(server), {
    serve,
    answerToUnread: (refusal) => {
      const { status, headers, body, note } = front.refuse(new Refusal(...refusal));
      void callListener(onAnswer, lineOf({ status, note }));
      return { status, headers, body: JSON.stringify(withOwnLinks(body, serviceUrl, publicUrl ?? running.url)) };
    },
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

/** Chooses who answers a request, by its path. */
function createAnswers(model: Model, front: Front): (request: IncomingMessage) => Promise<MockAnswer> {
  const control = createControl(model, front);
  const checkoutPages = createCheckoutPages(model, front);
  const errorsPage = createErrorsPage(model);
  return async (request) => {
    if (isControl(request)) return control(request);
    if (isCheckoutPage(request)) return checkoutPages(request);
    if (isErrorsPage(request)) return errorsPage;
    return front.answer(request);
  };
}

function send(response: ServerResponse, { status, headers, body }: MockAnswer): void {
  // Only CSV and pages are text by themselves.
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

function lineOf({ status, note }: Pick<MockAnswer, 'status' | 'note'>, { method, url }: Partial<IncomingMessage> = {}) {
  return [status, method, url, note && `(${note})`].filter(Boolean).join(' ');
}
