import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { eventually } from '../eventually.ts';

export interface CuttableProxy {
  reach(url: string): string;
  /** Closes every connection and refuses new connections, as if the server had stopped. */
  cut(): Promise<void>;
  /** Forwards the bytes that `stall` held back. Bytes that `hang` dropped are lost. */
  restore(): Promise<void>;
  /** Drops all bytes, like a network that loses every packet. Open connections never recover. */
  hang(): void;
  /** Keeps connections open and accepts new connections, but holds all bytes back until `restore`. */
  stall(): void;
}

export async function startCuttableProxy(target: URL): Promise<CuttableProxy> {
  const sockets = new Set<Socket>();
  const heldBack = new Set<() => void>();
  let state: 'open' | 'hanging' | 'stalled' = 'open';

  function keep(socket: Socket): Socket {
    sockets.add(socket);
    return socket.on('error', () => {}).on('close', () => sockets.delete(socket));
  }

  function join(near: Socket): void {
    if (near.destroyed) return;
    const far = keep(connect(Number(target.port), target.hostname));
    near.on('close', () => far.destroy());
    far.on('close', () => near.destroy());
    near.pipe(far);
    far.pipe(near);
  }

  const server = createServer((near) => {
    keep(near);
    if (state === 'open') join(near);
    else if (state === 'stalled') heldBack.add(() => join(near));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const listenAgain = async () => {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    return true;
  };
  return {
    reach: reachThrough(port),
    async cut() {
      const closed = server.listening && once(server, 'close');
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
    async restore() {
      state = 'open';
      for (const passOn of heldBack) passOn();
      heldBack.clear();
      if (server.listening) return;
      // An outgoing connection of another process may use the port for a moment, so listening is retried.
      await eventually(listenAgain, true);
    },
    hang() {
      state = 'hanging';
      for (const socket of sockets) socket.unpipe().resume();
    },
    stall() {
      state = 'stalled';
      for (const socket of sockets) {
        socket.cork();
        heldBack.add(() => socket.uncork());
      }
    },
  };
}

export function reachThrough(port: number): (address: string) => string {
  return (address) => {
    const url = new URL(address);
    url.host = `127.0.0.1:${port}`;
    return url.href;
  };
}
