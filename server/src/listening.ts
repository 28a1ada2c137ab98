/**
 * Ports: taken before anything else is done, and given up last.
 * See docs/decisions/process.md, "The port is taken before the database is touched".
 */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { StartError } from './start-error.ts';

export interface Listening {
  port: number;
  /** Answers with this from now on; until then it says that the start is under way. */
  serve(app: (request: never, response: never) => void): void;
  /** Stops accepting, lets requests in flight end within the grace, then cuts what is left. */
  close(graceMs: number): Promise<void>;
}

interface Place {
  host: string;
  port: number;
  /** The setting that names the port, for whoever has to choose another. */
  setting: string;
}

/**
 * A connection is kept longer than proxies and clients keep theirs, so that it is they who let go: a call on a connection
 * that we are just closing would be lost. Whoever takes half a minute to send 100 KiB is cut off.
 */
const connectionTimes = { keepAliveTimeout: 65_000, requestTimeout: 30_000 };

/** Throws a `StartError` when the port cannot be had. */
export async function listenOn(place: Place): Promise<Listening> {
  const server = createServer(connectionTimes, answerStarting);
  const port = await listen(server, place);
  return {
    port,
    serve(app) {
      server.off('request', answerStarting);
      server.on('request', app as () => void);
    },
    close: (graceMs) => close(server, graceMs),
  };
}

function answerStarting(_request: unknown, response: { writeHead(status: number): { end(text: string): void } }): void {
  response.writeHead(503).end('starting');
}

function listen(server: Server, { host, port, setting }: Place): Promise<number> {
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
