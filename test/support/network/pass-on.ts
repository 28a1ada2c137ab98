import { type IncomingMessage, request, type ServerResponse } from 'node:http';

/** Asks another server the same, as a proxy does, and hands its answer back. */
export function passOn(incoming: IncomingMessage, response: ServerResponse, address: string): void {
  const { method, headers } = incoming;
  const asked = request(address, { method, headers }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(response);
  });
  asked.on('error', () => response.destroy());
  incoming.pipe(asked);
}
