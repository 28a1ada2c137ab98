/** Node's HTTP parser makes no request object for invalid input, so this file writes the response to the socket. */
import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { limitBytes } from './json-body.ts';
import { type Sentence, tooLarge } from './sentences.ts';
import { holdBody } from './unread-body.ts';

/** By default, Node responds with an empty body to a request without a Host header. */
export const unreadOptions = { requireHostHeader: false };

/** A client may read the response for this time before the connection is closed. */
const closeDelayMs = 3000;

interface UnreadAnswer {
  status: number;
  headers: Readonly<Record<string, string>>;
  body: string;
}

export interface Answering {
  serve(request: IncomingMessage, response: ServerResponse): void;
  answerToUnread(sentence: Sentence, error: NodeJS.ErrnoException): UnreadAnswer;
}

export function followRequests(server: Server): ReadonlySet<ServerResponse> {
  const inFlight = new Set<ServerResponse>();
  server.prependListener('request', (request, response) => {
    request.url = originForm(request.url);
    inFlight.add(response);
    response.once('close', () => inFlight.delete(response));
  });
  return inFlight;
}

export function answerAll(server: Server, inFlight: ReadonlySet<ServerResponse>, answering: Answering): void {
  const answerUnread = (socket: Socket, error: NodeJS.ErrnoException) =>
    answerAndClose(socket, answering.answerToUnread(sentences[error.code ?? ''] ?? notHttp, error));
  server.on('request', (request, response) => {
    const lacksHost = request.httpVersion === '1.1' && request.headers.host === undefined;
    if (lacksHost) answerUnread(request.socket, new Error('The request has no header Host.'));
    else answering.serve(request, response);
  });
  // Choice: unknown expectations are ignored, as RFC 9110 allows, and the response is not 417.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  server.on('checkContinue', (request, response) => {
    holdBody(request, response);
    server.emit('request', request, response);
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    const isAnswered = [...inFlight].some((response) => response.socket === socket && response.headersSent);
    // After the response, further invalid input from the client is ignored.
    if (socket.writableEnded) return;
    if (isAnswered || error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
    answerUnread(socket, error);
  });
}

const notHttp: Sentence = ['malformed_request', 'The request is not valid HTTP'];

const sentences: Readonly<Record<string, Sentence>> = {
  HPE_HEADER_OVERFLOW: ['headers_too_large', 'The address and the headers are larger than 16 KiB'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: tooLarge(limitBytes),
  ERR_HTTP_REQUEST_TIMEOUT: ['request_timeout', 'The request did not arrive in time'],
};

/** The connection is closed after a delay, because the client may never close its side. */
function answerAndClose(socket: Socket, { status, headers, body }: UnreadAnswer): void {
  const lines = Object.entries({
    ...headers,
    'Content-Length': Buffer.byteLength(body),
    'Cache-Control': 'no-store',
    Connection: 'close',
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`);
  const timer = setTimeout(() => socket.destroy(), closeDelayMs).unref();
  socket.once('close', () => clearTimeout(timer));
}

/** Replaces an absolute URL, which servers must accept, with its path. `*` of `OPTIONS` becomes an unknown path. */
function originForm(url = '/'): string {
  if (url === '*') return '/*';
  const [whole, rest = ''] = /^https?:\/\/[^/?#]*(.*)$/i.exec(url) ?? [];
  if (whole === undefined) return url;
  return rest.startsWith('/') ? rest : `/${rest}`;
}
