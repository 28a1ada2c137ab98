/**
 * Opens and closes ports. A port is opened before anything else starts, and closed after everything else has stopped.
 * See docs/decisions/process.md, "The port is taken before the database is touched".
 */
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { StartError } from './start-error.ts';

export interface Listening {
  port: number;
  /** Answers requests with this application from now on. Before, every answer is a 503 with the text `starting`. */
  serve(app: (request: never, response: never) => void, answerToUnread: AnswerToUnread): void;
  /**
   * Accepts no more connections, waits for requests in flight within the grace time, and then closes all connections.
   * Each answer closes its connection: a client that keeps it would delay the end until the grace time is over.
   */
  close(graceMs: number): Promise<void>;
}

/** Makes the answer to a request that Node could not read: its status line, headers and body. */
type AnswerToUnread = (error: NodeJS.ErrnoException) => string;

/** The time that a client has to read such an answer before its connection is closed. */
const closeDelayMs = 3000;

interface ListenAddress {
  host: string;
  port: number;
  /** The name of the setting for the port, for the error message. */
  setting: string;
}

/**
 * The server keeps idle connections longer than proxies and clients do, so that they close them first: a call would be
 * lost if it came on a connection that the server is just closing. A request of up to 100 KiB must arrive within half a
 * minute.
 */
const connectionTimes = { keepAliveTimeout: 65_000, requestTimeout: 30_000 };

/** Node itself would answer a request without a host with an empty body. */
const options = { ...connectionTimes, requireHostHeader: false };

/** Throws a `StartError` when it cannot listen on the port. */
export async function listenOn(address: ListenAddress): Promise<Listening> {
  const server = createServer(options, answerStarting);
  const inFlight = new Set<ServerResponse>();
  let isClosing = false;
  server.prependListener('request', (request, response) => {
    request.url = originForm(request.url);
    inFlight.add(response);
    response.once('close', () => inFlight.delete(response));
    if (isClosing) closeAfter(response);
  });
  const port = await listen(server, address);
  return {
    port,
    serve(app, answerToUnread) {
      server.off('request', answerStarting);
      server.on('request', (request, response) => {
        const lacksHost = request.httpVersion === '1.1' && request.headers.host === undefined;
        if (lacksHost) answerAndClose(request.socket, answerToUnread(new Error('The request has no header Host.')));
        else app(request as never, response as never);
      });
      // Choice: an expectation that is not known is passed over, as RFC 9110 allows, and not refused with 417.
      server.on('checkExpectation', (request, response) => server.emit('request', request, response));
      server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
        const isAnswered = [...inFlight].some((response) => response.socket === socket && response.headersSent);
        // After an answer, more of what cannot be read may come, and is passed over.
        if (socket.writableEnded) return;
        if (isAnswered || error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
        answerAndClose(socket, answerToUnread(error));
      });
    },
    close(graceMs) {
      isClosing = true;
      for (const response of inFlight) closeAfter(response);
      return close(server, graceMs);
    },
  };
}

/** The client has some time to read the answer. It may never close its side of the connection. */
function answerAndClose(socket: Socket, answer: string): void {
  socket.end(answer);
  const timer = setTimeout(() => socket.destroy(), closeDelayMs).unref();
  socket.once('close', () => clearTimeout(timer));
}

/**
 * A request line may name the whole address, and must then be accepted too. The `*` of `OPTIONS` is no path, and becomes one
 * that does not exist.
 */
function originForm(url = '/'): string {
  if (url === '*') return '/*';
  const [whole, rest = ''] = /^https?:\/\/[^/?#]*(.*)$/i.exec(url) ?? [];
  if (whole === undefined) return url;
  return rest.startsWith('/') ? rest : `/${rest}`;
}

function answerStarting(_request: unknown, response: { writeHead(status: number): { end(text: string): void } }): void {
  response.writeHead(503).end('starting');
}

/**
 * Makes the answer the last one on its connection.
 * See docs/decisions/process.md, "A server that stops closes each connection with its answer".
 */
function closeAfter(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader('Connection', 'close');
}

function listen(server: Server, { host, port, setting }: ListenAddress): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const inUse =
        error.code === 'EADDRINUSE' &&
        `Port ${port} on ${host} is in use. Set ${setting} to another, or to 0 for a free one.`;
      reject(new StartError(inUse || `Cannot listen on ${host}:${port}: ${error.message}`));
    });
    server.listen(port, host, () => resolve((server.address() as AddressInfo).port));
  });
}

function close(server: Server, graceMs: number): Promise<void> {
  return new Promise((resolve) => {
    const cut = setTimeout(() => server.closeAllConnections(), graceMs);
    server.close(() => {
      clearTimeout(cut);
      resolve();
    });
    server.closeIdleConnections();
  });
}
