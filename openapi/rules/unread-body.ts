/** How server and mock answer a request whose body they have not read to its end. */
import type { IncomingMessage, ServerResponse } from 'node:http';

/**
 * A body that is too large is read up to this length, because many clients read the answer only when they have sent it.
 * Every body that is taken is shorter.
 */
export const mostReadBytes = 2 * 1024 * 1024;
/** How long, and for how many bytes more, a client may send after the answer before its connection is closed. */
const closeDelayMs = 3000;
const mostIgnoredBytes = 8 * mostReadBytes;

/** The answers to clients who send their body only when they are asked for it, until they are. */
const heldBodies = new WeakMap<IncomingMessage, ServerResponse>();

/** For a request with `Expect: 100-continue`. Without this, Node would ask for a body of any length. */
export function holdBody(request: IncomingMessage, response: ServerResponse): void {
  heldBodies.set(request, response);
}

/** Whether a body says that it is short, and comes without being asked for, as nearly all do: it is read to its end. */
export function isShortBody(request: IncomingMessage): boolean {
  return Number(request.headers['content-length']) <= mostReadBytes && !heldBodies.has(request);
}

/**
 * Each reader of bodies calls this first. True when the declared length is refused: then the answer must not wait for the body.
 * Otherwise a client who waits to be asked for the body is asked.
 */
export function isRefusedUnread(request: IncomingMessage, limitBytes: number): boolean {
  const held = heldBodies.get(request);
  if (Number(request.headers['content-length']) > (held ? limitBytes : mostReadBytes)) return true;
  heldBodies.delete(request);
  held?.writeContinue();
  return false;
}

/**
 * Makes an answer that comes before the end of a long body the last one on its connection. The rest of the body would
 * come before the next request there. A body that says that it is short is read to its end, and its connection is kept.
 * See docs/decisions/requests.md, "An answer before the end of a long body closes its connection".
 */
export function closeWithUnreadBody(request: IncomingMessage, response: ServerResponse): void {
  const { headers, socket } = request;
  if (headers['content-length'] === undefined && headers['transfer-encoding'] === undefined) return;
  if (isShortBody(request)) return;
  const isShort = Number(headers['content-length']) <= mostReadBytes;
  const writeHead = response.writeHead.bind(response) as (...given: unknown[]) => ServerResponse;
  response.writeHead = (...given: unknown[]) => {
    // A client who was not asked for the body may leave it out, and what comes next on the connection would be unclear.
    if (!request.complete && (!isShort || heldBodies.has(request))) {
      response.setHeader('Connection', 'close');
      socket.destroySoon = () => closeLater(request);
    }
    return writeHead(...given);
  };
}

/** A connection that is closed while bytes arrive is reset, and the client may lose the answer that it has not read. */
function closeLater(request: IncomingMessage): void {
  const { socket } = request;
  let ignored = 0;
  socket.on('data', (chunk) => {
    ignored += chunk.length;
    if (ignored > mostIgnoredBytes) socket.destroy();
  });
  const timer = setTimeout(() => socket.destroy(), closeDelayMs);
  socket.once('close', () => clearTimeout(timer));
  socket.end();
  request.resume();
}
