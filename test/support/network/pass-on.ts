import { type IncomingMessage, request, type ServerResponse } from 'node:http';

/** Forwards a request to another server, as a reverse proxy does, and returns the response to the client. */
export function passOn(incoming: IncomingMessage, response: ServerResponse, address: string): void {
  const { method, headers } = incoming;
  const forwarded = request(address, { method, headers }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(response);
  });
  forwarded.on('error', () => response.destroy());
  incoming.pipe(forwarded);
}
