/** A mock that needs only the contract: it checks each request against the contract, and answers with an example. */

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { inspect } from 'node:util';
import { answerHeaderNames, type Model, readContract } from '@tillhook/openapi';
import { closeWithUnreadBody } from '@tillhook/openapi/rules/unread-body';
import { answerAll, followRequests, unreadOptions } from '@tillhook/openapi/rules/unread-request';
import { problemAnswer } from './examples/prism.ts';
import { type Address, listen, type Running } from './listening.ts';
import { serviceUrlOf } from './memory/memory.ts';
import { createCheckoutRoutes, isCheckoutPage, merchantNameOf } from './pages/checkout.routes.ts';
import { createErrorsPage, isErrorsPage } from './pages/errors.page.ts';
import { createPayRoutes, isPayPage } from './pages/pay.routes.ts';
import { ApiError, type MockAnswer } from './requests/api-error.ts';
import { createControl, isControl } from './service/control.ts';
import { createFront, type Front } from './service/front.ts';

export interface MockOptions extends Address {
  /** Called with one line for each answered request. */
  onAnswer?: (line: string) => void;
  /** The base URL of links in answers. When omitted, links begin with the URL by which the caller reached the mock. */
  publicUrl?: string;
  /** False for a mock that remembers nothing, so that the same call always has the same answer. */
  remembers?: boolean;
}

/** Starts the mock, on a free port when `port` is omitted. */
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
    // The mock was stopped while it made the answer, and the connection is already closed.
    if (stopping.signal.aborted) return;
    const body = withOwnLinks(answer.body, serviceUrl, publicUrl ?? urlOf(request, running.url));
    send(response, { ...answer, body });
    await callListener(onAnswer, lineOf(answer, request));
  };
  const server = createServer(unreadOptions);
  answerAll(server, followRequests(server), {
    serve,
    answerToUnread: (sentence) => {
      const { status, headers, body, note } = front.answerError(new ApiError(...sentence));
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

function createAnswers(model: Model, front: Front): (request: IncomingMessage) => Promise<MockAnswer> {
  const control = createControl(model, front);
  const checkoutRoutes = createCheckoutRoutes(model, front);
  const payRoutes = createPayRoutes(front.memory, merchantNameOf(model));
  const errorsPage = createErrorsPage(model);
  return async (request) => {
    if (isControl(request)) return control(request);
    if (isCheckoutPage(request)) return checkoutRoutes(request);
    if (isPayPage(request)) return payRoutes(request);
    if (isErrorsPage(request)) return errorsPage;
    return front.answer(request);
  };
}

function send(response: ServerResponse, { status, headers, body }: MockAnswer): void {
  // A body that is a string is CSV or HTML; any other body is sent as JSON.
  const text = typeof body === 'string' || body === undefined ? body : JSON.stringify(body);
  response.writeHead(status, { 'Cache-Control': 'no-store', ...headers }).end(text);
}

/** An error that `onAnswer` throws becomes a warning, so that the error does not stop the mock. */
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

/** The time that a browser may cache the response to a preflight request; the same as in the service. */
const rememberSeconds = 600;

type SetCorsHeaders = (request: IncomingMessage, response: ServerResponse) => void;

/**
 * Allows each origin by name: `TillhookSession` sends cookies, and browsers accept no `*` for calls with cookies. The
 * records of the mock need no protection, and `foreign-callers.ts` rejects harmful calls of other sites.
 */
function createCors(model: Model): SetCorsHeaders {
  const exposed = answerHeaderNames(model).join(', ');
  return ({ headers }, response) => {
    const { origin, 'access-control-request-headers': requestedHeaders } = headers;
    response.setHeader('Access-Control-Allow-Origin', origin ?? '*');
    if (origin !== undefined) response.setHeader('Access-Control-Allow-Credentials', 'true');
    response.setHeader('Access-Control-Allow-Methods', 'GET, HEAD, POST, PUT, PATCH, DELETE');
    if (requestedHeaders !== undefined) response.setHeader('Access-Control-Allow-Headers', requestedHeaders);
    response.setHeader('Access-Control-Expose-Headers', exposed);
    response.setHeader('Vary', 'Origin, Access-Control-Request-Headers');
  };
}

function answerPreflight(response: ServerResponse): void {
  response.writeHead(204, { 'Access-Control-Max-Age': String(rememberSeconds) }).end();
}

function isPreflight({ method, headers }: IncomingMessage): boolean {
  return method === 'OPTIONS' && 'access-control-request-method' in headers;
}

/**
 * The fields with a URL of the service, and how its path begins. Other fields, such as `callbackUrl`, contain a URL that
 * the caller sent, and so does `url` of a webhook endpoint.
 */
const linkFields = new Map([
  ['checkoutUrl', ''],
  ['receiptUrl', ''],
  ['docUrl', ''],
  ['logoUrl', ''],
  ['url', 'pay/'],
]);

/** Replaces the contract's URL at the beginning of links, because there may be no server at that URL. */
function withOwnLinks(body: unknown, serviceUrl: string, ownUrl: string): unknown {
  if (body === null || typeof body !== 'object') return body;
  if (Array.isArray(body)) return body.map((child) => withOwnLinks(child, serviceUrl, ownUrl));
  return Object.fromEntries(
    Object.entries(body).map(([name, value]) => {
      const path = linkFields.get(name);
      const isLink = path !== undefined && typeof value === 'string' && value.startsWith(`${serviceUrl}/${path}`);
      return [name, isLink ? ownUrl + value.slice(serviceUrl.length) : withOwnLinks(value, serviceUrl, ownUrl)];
    }),
  );
}

function urlOf({ headers: { host = '' } }: IncomingMessage, listeningUrl: string): string {
  return /^([\w.-]+|\[[\da-f:.]+\])(:\d{1,5})?$/i.test(host) ? `http://${host}` : listeningUrl;
}
