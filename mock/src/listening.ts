import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Address {
  /** The port; 0 selects a free port. */
  port?: number;
  host?: string;
}

export interface Running {
  url: string;
  stop(): Promise<void>;
}

/** An error that a user at the terminal can understand by its message, so it is printed without a stack trace. */
export class UserError extends Error {
  override name = 'UserError';
}

export async function listen(server: Server, { port, host }: Required<Address>): Promise<Running> {
  // Clients should close an idle connection before the server does: a request on a closed connection would be lost.
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
        // Also closes connections whose request has no response yet.
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
