// See docs/decisions/process.md, "The port is taken before the database is touched".
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Answering, answerAll, followRequests, unreadOptions } from '@tillhook/openapi/rules/unread-request';
import { StartError } from '../kit/errors.ts';

export interface Listening {
  port: number;
  /** Until this call, every response is a 503 with the text `starting`. */
  serve(app: (request: never, response: never) => void, answerToUnread: Answering['answerToUnread']): void;
  /** Waits for requests in flight within the grace time, and then closes all connections. */
  close(graceMs: number): Promise<void>;
}

interface ListenAddress {
  host: string;
  port: number;
  setting: string;
}

/**
 * Idle connections are kept longer than proxies and clients keep them, because a call would be lost if it arrived on a
 * connection that the server is just closing.
 */
const connectionTimes = { keepAliveTimeout: 65_000, requestTimeout: 30_000 };

export async function listenOn(address: ListenAddress): Promise<Listening> {
  const server = createServer({ ...connectionTimes, ...unreadOptions }, answerStarting);
  const inFlight = followRequests(server);
  let isClosing = false;
  server.prependListener('request', (_request, response) => {
    if (isClosing) closeAfter(response);
  });
  const port = await listen(server, address);
  return {
    port,
    serve(app, answerToUnread) {
      server.off('request', answerStarting);
      answerAll(server, inFlight, { serve: app as Answering['serve'], answerToUnread });
    },
    close(graceMs) {
      isClosing = true;
      for (const response of inFlight) closeAfter(response);
      return close(server, graceMs);
    },
  };
}

function answerStarting(_request: unknown, response: { writeHead(status: number): { end(text: string): void } }): void {
  response.writeHead(503).end('starting');
}

// See docs/decisions/process.md, "A server that stops closes each connection with its answer".
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
