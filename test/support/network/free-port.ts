import { once } from 'node:events';
import { createServer } from 'node:net';

/** For a program that has to be told its port. Nothing keeps the port until then, so another process may take it first. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  await new Promise((closed) => server.close(closed));
  return port;
}
