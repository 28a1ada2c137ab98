import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import type { ExecutionContext } from 'ava';
import type { Certificate } from '../network/certificates.ts';

/** Answers by hand, byte for byte. `index` counts the requests of all connections, from 0. */
export type AnswerByHand = (socket: Socket, index: number) => void;

export interface RawReceiver {
  port: number;
  /** Of whole requests. */
  requests: number;
  /** Those that were opened, used or not. */
  connections: number;
  /** What all receivers on the other side have taken from it, or the system for them. */
  sentBytes(): number;
}

/** A receiver that knows no HTTP but where a request ends, so that it can break every rule. Over TLS with a certificate. */
export async function startRawReceiver(
  t: ExecutionContext,
  answer: AnswerByHand,
  certificate?: Certificate,
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
  const server: Server = certificate ? createTlsServer(certificate, take) : createServer(take);
  // A client that turns its back on a certificate is what some tests are about.
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
