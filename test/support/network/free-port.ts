import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * Returns a free port for a program that cannot choose one. The port is not reserved, so another process may take it
 * first.
 */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  await new Promise((closed) => server.close(closed));
  return port;
}
