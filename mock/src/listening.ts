import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Address {
  /** 0 for any free port. */
  port?: number;
  host?: string;
}

export interface Running {
  url: string;
  stop(): Promise<void>;
}

/** An error whose message is enough for a user at the terminal. It is printed without a stack. */
export class UserError extends Error {
  override name = 'UserError';
}

export async function listen(server: Server, { port, host }: Required<Address>): Promise<Running> {
  // Longer than clients keep idle connections open. If the server closed a connection that the client is about to
  // reuse, the request would be lost.
  server.keepAliveTimeout = 75_000;
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(explain(error, `${host}:${port}`)));
    server.listen(port, host, resolve);
  });
  const { port: actualPort } = server.address() as AddressInfo;
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${actualPort}`,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        // This also closes connections whose request still waits for an answer.
        server.closeAllConnections();
      }),
  };
}

function explain(error: NodeJS.ErrnoException, address: string): Error {
  if (error.code === 'EADDRINUSE')
    return new UserError(`${address} is in use: another program listens there.`, { cause: error });
  if (error.code === 'EACCES')
    return new UserError(`This user has no permission to listen on ${address}.`, { cause: error });
  return error;
}
