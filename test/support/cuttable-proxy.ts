import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface CuttableProxy {
  /** The same address, reached through this proxy. */
  reach(url: string): string;
  /** Drops every connection and refuses new ones, as a server that went away would. */
  cut(): Promise<void>;
  restore(): Promise<void>;
  /** Passes nothing on any more, as a network that loses every packet. What is connected then stays so for good. */
  hang(): void;
}

/** Stands between the server and its database, so that a test can take the database away. */
export async function startCuttableProxy(target: URL): Promise<CuttableProxy> {
  const sockets = new Set<Socket>();
  let isHanging = false;
  const server = createServer((near) => {
    if (isHanging) {
      sockets.add(near.on('error', () => {}).on('close', () => sockets.delete(near)));
      return;
    }
    const far = connect(Number(target.port), target.hostname);
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one);
      one.on('error', () => {}).on('close', () => sockets.delete(one) && other.destroy());
      one.pipe(other);
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    reach(address) {
      const url = new URL(address);
      url.host = `127.0.0.1:${port}`;
      return url.href;
    },
    async cut() {
      const closed = server.listening && once(server, 'close');
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
    async restore() {
      isHanging = false;
      if (server.listening) return;
      server.listen(port, '127.0.0.1');
      await once(server, 'listening');
    },
    hang() {
      isHanging = true;
      for (const socket of sockets) socket.unpipe().resume();
    },
  };
}
