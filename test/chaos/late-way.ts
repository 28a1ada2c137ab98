import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface LateWay {
  /** The port of this machine that leads to the server. */
  port: number;
  /** Closes all connections. What is still on its way is lost. */
  lose(): void;
}

/**
 * Leads to a server of this machine. What it sends arrives some milliseconds later, as on another machine under load.
 * See docs/decisions/tests.md, "What a primary sends to its standbys is made late".
 */
export async function startLateWay(running: AsyncDisposableStack, to: number, lateMs: number): Promise<LateWay> {
  const open = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(to, '127.0.0.1');
    open.add(near);
    const end = () => {
      open.delete(near);
      near.destroy();
      far.destroy();
    };
    for (const socket of [near, far]) socket.setNoDelay().on('error', end).on('close', end);
    near.on('data', (bytes) => far.write(bytes));
    far.on('data', (bytes) => setTimeout(() => near.destroyed || near.write(bytes), lateMs));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const lose = () => {
    for (const socket of open) socket.destroy();
  };
  running.defer(() => {
    server.close();
    lose();
  });
  return { port: (server.address() as AddressInfo).port, lose };
}
