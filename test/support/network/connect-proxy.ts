import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import type { ExecutionContext } from 'ava';

export interface ConnectProxy {
  port: number;
  /** The `host:port` of each requested tunnel, and the value of `Proxy-Authorization`. */
  tunnels: { target: string; authorization: string | undefined }[];
  /** The addresses of host names that only this proxy can resolve. */
  names: Map<string, string>;
  /** Null while the proxy accepts tunnels. */
  failure: 'forbid' | 'hang' | null;
}

export async function startConnectProxy(t: ExecutionContext): Promise<ConnectProxy> {
  const sockets = new Set<Socket>();
  const proxy: ConnectProxy = { port: 0, tunnels: [], names: new Map(), failure: null };
  const server = createServer((_request, response) => response.writeHead(405).end());
  server.on('connect', (request, near: Socket) => {
    const { host, hostname, port } = new URL(`http://${request.url}`);
    proxy.tunnels.push({ target: host, authorization: request.headers['proxy-authorization'] });
    sockets.add(near.on('error', () => {}));
    if (proxy.failure === 'hang') return;
    if (proxy.failure === 'forbid') return near.end('HTTP/1.1 403 Forbidden\r\n\r\n');
    const far = connect(Number(port || 80), proxy.names.get(hostname) ?? hostname);
    sockets.add(far);
    far.on('connect', () => {
      near.write('HTTP/1.1 200 Connection Established\r\n\r\n');
      far.pipe(near).pipe(far);
    });
    far.on('error', () => near.end('HTTP/1.1 502 Bad Gateway\r\n\r\n'));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  proxy.port = (server.address() as AddressInfo).port;
  return proxy;
}
