import type { IncomingMessage, ServerResponse } from 'node:http';

/** Many clients send the whole body before they read the response, so a rejected body is read up to this length. */
export const maxReadBytes = 2 * 1024 * 1024;
/** After the response, the server ignores `maxIgnoredBytes` for `closeDelayMs`, and then closes the connection. */
const closeDelayMs = 3000;
const maxIgnoredBytes = 8 * maxReadBytes;

/** The responses to clients that sent `Expect: 100-continue` and are still waiting for 100 Continue. */
const heldBodies = new WeakMap<IncomingMessage, ServerResponse>();

/** By default, Node would reply with 100 Continue to a body of any length. */
export function holdBody(request: IncomingMessage, response: ServerResponse): void {
  heldBodies.set(request, response);
}

/** True for nearly all bodies: the declared length is short, and the client does not wait for 100 Continue. */
export function isShortBody(request: IncomingMessage): boolean {
  return Number(request.headers['content-length']) <= maxReadBytes && !heldBodies.has(request);
}

/**
 * Returns true when the declared length exceeds the limit; otherwise sends 100 Continue to a client that waits for it.
 * Every function that reads a body must call this function first.
 */
export function isRefusedUnread(request: IncomingMessage, limitBytes: number): boolean {
  const held = heldBodies.get(request);
  if (Number(request.headers['content-length']) > (held ? limitBytes : maxReadBytes)) return true;
  heldBodies.delete(request);
  held?.writeContinue();
  return false;
}

/**
 * After an early response, the next request would arrive behind the rest of a long body, so the connection is closed.
 * See docs/decisions/requests.md, "An answer before the end of a long body closes its connection".
 */
export function closeWithUnreadBody(request: IncomingMessage, response: ServerResponse): void {
  const { headers, socket } = request;
  if (headers['content-length'] === undefined && headers['transfer-encoding'] === undefined) return;
  if (isShortBody(request)) return;
  const isShort = Number(headers['content-length']) <= maxReadBytes;
  const writeHead = response.writeHead.bind(response) as (...given: unknown[]) => ServerResponse;
  response.writeHead = (...given: unknown[]) => {
    // A client that got no 100 Continue may omit the body, so the server could not tell where the next request begins.
    if (!request.complete && (!isShort || heldBodies.has(request))) {
      response.setHeader('Connection', 'close');
      socket.destroySoon = () => closeLater(request);
    }
    return writeHead(...given);
  };
}

/** Closing a connection while bytes arrive resets it, and the client may lose a response that it has not read yet. */
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
