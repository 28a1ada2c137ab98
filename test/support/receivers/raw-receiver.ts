import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer, type TlsOptions } from 'node:tls';
import type { ExecutionContext } from 'ava';

/** `index` is the number of the request among all connections, from 0. */
export type AnswerByHand = (socket: Socket, index: number) => void;

export interface RawReceiver {
  port: number;
  requests: number;
  /** The number of connections, with or without a request. */
  connections: number;
  /** The number of bytes that the operating system has accepted for all connections. */
  sentBytes(): number;
}

/** This receiver has no HTTP library, so that its responses can break every rule of HTTP. */
export async function startRawReceiver(
  t: ExecutionContext,
  answer: AnswerByHand,
  tls?: TlsOptions,
): Promise<RawReceiver> {
  const sockets = new Set<Socket>();
  const receiver: RawReceiver = {
    port: 0,
    requests: 0,
    connections: 0,
    sentBytes: () => [...sockets].reduce((sum, socket) => sum + socket.bytesWritten - socket.writableLength, 0),
  };
  const take = (socket: Socket) => {
    receiver.connections++;
    sockets.add(socket.on('error', () => {}));
    onEachRequest(socket, () => answer(socket, receiver.requests++));
  };
  const server: Server = tls ? createTlsServer(tls, take) : createServer(take);
  // In some tests the client refuses the certificate, which is not an error of the receiver.
  server.on('tlsClientError', () => {});
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  receiver.port = (server.address() as AddressInfo).port;
  return receiver;
}

function onEachRequest(socket: Socket, react: () => void): void {
  let received = '';
  socket.on('data', (chunk) => {
    received += chunk.toString('latin1');
    const [head = '', body] = received.split('\r\n\r\n');
    const expected = Number(/content-length: *(\d+)/i.exec(head)?.[1]);
    if (body === undefined || body.length < expected) return;
    received = '';
    react();
  });
}
