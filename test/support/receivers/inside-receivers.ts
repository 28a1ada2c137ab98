import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import type { ExecutionContext } from 'ava';

/** A listener on addresses that no delivery may reach. */
export interface ForbiddenListener {
  port: number;
  connections: number;
}

/** The listener runs until the process ends. */
export async function startForbiddenListener(): Promise<ForbiddenListener> {
  const inside: ForbiddenListener = { port: 0, connections: 0 };
  const listener = createServer((socket) => {
    inside.connections++;
    socket.destroy();
  });
  listener.listen(0).unref();
  await once(listener, 'listening');
  inside.port = (listener.address() as AddressInfo).port;
  return inside;
}

export async function startWildcardReceiver(t: ExecutionContext) {
  const reachedAt: string[] = [];
  const listener = createServer((socket) => {
    reachedAt.push(socket.localAddress ?? '');
    socket.on('error', () => {}).once('data', () => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n'));
  });
  listener.listen(0, '0.0.0.0');
  await once(listener, 'listening');
  t.teardown(() => listener.close());
  return { port: (listener.address() as AddressInfo).port, reachedAt };
}
