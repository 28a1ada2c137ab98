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

/** Free ports of four digits, for a test of printed tables, whose columns are as wide as the port. */
export async function shortFreePorts(count: number): Promise<number[]> {
  const found = new Set<number>();
  while (found.size < count) {
    const port = 5000 + Math.floor(Math.random() * 5000);
    if (await isFree(port)) found.add(port);
  }
  return [...found];
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  const listening = new Promise<boolean>((resolve) => {
    server.once('listening', () => resolve(true)).once('error', () => resolve(false));
  });
  server.listen(port, '127.0.0.1');
  if (!(await listening)) return false;
  await new Promise((closed) => server.close(closed));
  return true;
}
