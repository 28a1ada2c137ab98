/** Responses of server and mock to a request whose body they have not read to the end. */
import type { IncomingMessage, ServerResponse } from 'node:http';

/**
 * The service reads a rejected body up to this length, because many clients read the response only after they have sent
 * the body. Every accepted body is shorter.
 */
export const maxReadBytes = 2 * 1024 * 1024;
/**
 * After the response, a client may go on sending for this time, and up to this number of bytes. Then its connection is
 * closed.
 */
const closeDelayMs = 3000;
const maxIgnoredBytes = 8 * maxReadBytes;

/** The responses to clients that sent `Expect: 100-continue` and have not been told to send their body. */
const heldBodies = new WeakMap<IncomingMessage, ServerResponse>();

/** Handles `Expect: 100-continue`. By default, Node would answer it with 100 for a body of any length. */
export function holdBody(request: IncomingMessage, response: ServerResponse): void {
  heldBodies.set(request, response);
}

/**
 * True for nearly all bodies: they declare a short length, and the client sends them without waiting for 100. They are
 * read to the end.
 */
export function isShortBody(request: IncomingMessage): boolean {
  return Number(request.headers['content-length']) <= maxReadBytes && !heldBodies.has(request);
}

/**
 * Every reader of bodies calls this function first. Returns true when the declared length exceeds the limit: then the
 * response must not wait for the body. Otherwise a client that waits for 100 gets it.
 */
export function isRefusedUnread(request: IncomingMessage, limitBytes: number): boolean {
  const held = heldBodies.get(request);
  if (Number(request.headers['content-length']) > (held ? limitBytes : maxReadBytes)) return true;
  heldBodies.delete(request);
  held?.writeContinue();
  return false;
}

/**
 * Closes the connection after a response that is sent before the end of a long body, because the next request would
 * follow the rest of that body. A short body is read to the end, and its connection stays open.
 * See docs/decisions/requests.md, "An answer before the end of a long body closes its connection".
 */
export function closeWithUnreadBody(request: IncomingMessage, response: ServerResponse): void {
  const { headers, socket } = request;
  if (headers['content-length'] === undefined && headers['transfer-encoding'] === undefined) return;
  if (isShortBody(request)) return;
  const isShort = Number(headers['content-length']) <= maxReadBytes;
  const writeHead = response.writeHead.bind(response) as (...given: unknown[]) => ServerResponse;
  response.writeHead = (...given: unknown[]) => {
    // A client that never got 100 may leave out the body, so the server could not tell where the next request begins.
    if (!request.complete && (!isShort || heldBodies.has(request))) {
      response.setHeader('Connection', 'close');
      socket.destroySoon = () => closeLater(request);
    }
    return writeHead(...given);
  };
}

/** Closing a connection while bytes arrive resets it, and the client may lose a response that it has not read. */
function closeLater(request: IncomingMessage): void {
  const { socket } = request;
  let ignored = 0;
  socket.on('data', (chunk) => {
    ignored += chunk.length;
    if (ignored > maxIgnoredBytes) socket.destroy();
  });
  const timer = setTimeout(() => socket.destroy(), closeDelayMs);
  socket.once('close', () => clearTimeout(timer));
  socket.end();
  request.resume();
}
