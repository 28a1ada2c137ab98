/** A server that answers at once with the same checkout session, so that the client takes nearly all the time. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const accessCode = '0b0a4a31-6b1e-4d0e-9d9c-5a8f3f2b7c11';
const answer = JSON.stringify({
  success: true,
  message: 'Checkout session created',
  data: {
    checkoutUrl: `http://localhost:3000/checkout/${accessCode}`,
    reference: 'ref_k3v9m2q7x4t8w5n6b1zd',
    accessCode,
  },
});
const headers = {
  'content-type': 'application/json; charset=utf-8',
  'content-length': Buffer.byteLength(answer),
  'x-request-id': 'req_01k9x7m3v5q8w2n4b6zd',
};

const server = createServer((request, response) => {
  request.resume().once('end', () => response.writeHead(201, headers).end(answer));
});
server.keepAliveTimeout = 120_000;
server.listen(0, '127.0.0.1');
await once(server, 'listening');
process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
