import { type IncomingMessage, request, type ServerResponse } from 'node:http';

export function passOn(incoming: IncomingMessage, response: ServerResponse, address: string): void {
  const { method, headers } = incoming;
  const forwarded = request(address, { method, headers }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(response);
  });
  forwarded.on('error', () => response.destroy());
  incoming.pipe(forwarded);
}
