import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface DelayingProxy {
  port: number;
  dropConnections(): void;
}

/**
 * Delays all bytes that a local server sends by some milliseconds, like a loaded network between two machines.
 * See docs/decisions/tests.md, "What a primary sends to its standbys is made late".
 */
export async function startDelayingProxy(
  running: AsyncDisposableStack,
  serverPort: number,
  lateMs: number,
): Promise<DelayingProxy> {
  const open = new Set<Socket>();
  const proxy = createServer((near) => {
    const far = connect(serverPort, '127.0.0.1');
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
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const dropConnections = () => {
    for (const socket of open) socket.destroy();
  };
  running.defer(() => {
    proxy.close();
    dropConnections();
  });
  return { port: (proxy.address() as AddressInfo).port, dropConnections };
}
