import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * The port is not reserved, but operating systems assign no ports of this range, so the port is likely to stay free.
 */
export function freePort(): Promise<number> {
  // HTTP clients refuse the port 10080.
  return freePortIn(10_100, 30_000);
}

/** The widths of columns in printed tables depend on the number of digits of the port. */
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
