import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * Returns a free port for a program that cannot choose a port itself. The port is not reserved. Operating systems do
 * not assign ports of this range on their own, so another process is unlikely to take the port first.
 */
export function freePort(): Promise<number> {
  // HTTP clients refuse the port 10080.
  return freePortIn(10_100, 30_000);
}

/** Returns free ports of four digits, for tests of printed tables, whose column widths depend on the port. */
export async function shortFreePorts(count: number): Promise<number[]> {
  const found = new Set<number>();
  // HTTP clients refuse some ports below 7000.
  while (found.size < count) found.add(await freePortIn(7000, 10_000));
  return [...found];
}

async function freePortIn(lowest: number, end: number): Promise<number> {
  for (;;) {
    const port = randomInt(lowest, end);
    if (await isFree(port)) return port;
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  const listening = new Promise<boolean>((resolve) => {
    server.once('listening', () => resolve(true)).once('error', () => resolve(false));
  });
  server.listen(port, '127.0.0.1');
  if (!(await listening)) return false;
  server.close();
  await once(server, 'close');
  return true;
}
