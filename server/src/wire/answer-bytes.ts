import type { Socket } from 'node:net';
import { AttemptError } from './delivery-error.ts';

/**
 * The maximum size of an answer: far larger than any answer that is read to its end, even an answer in chunks of one
 * byte.
 */
const maxAnswerBytes = 262_144;

/**
 * Reads the bytes that a receiver sends on this connection before undici does, for two reasons.
 *
 * The first reason: it closes the connection when an answer is larger than 256 KiB. The sender limits the body, and
 * the parser limits the headers, but nothing else limits interim responses, chunk extensions, the reason phrase and
 * blank lines.
 * See docs/decisions/delivery.md, "An answer may have 256 KiB in all".
 *
 * The second reason: it lets a receiver send `100 Continue` although the request did not ask for that response.
 * See docs/decisions/delivery.md, "An interim 100 is read as a 102".
 */
export function watchAnswers(socket: Socket): void {
  const read = socket.read.bind(socket);
  const statusLines = createStatusLines();
  let written = 0;
  let received = 0;
  socket.read = (size?: number): Buffer | null => {
    const chunk: Buffer | null = read(size);
    if (chunk === null) return null;
    // If a new request was sent on this connection, the bytes that follow belong to a new answer.
    if (socket.bytesWritten !== written) {
      written = socket.bytesWritten;
      received = 0;
      statusLines.expect();
    }
    received += chunk.length;
    if (received > maxAnswerBytes) {
      socket.destroy(new AttemptError('protocol_error'));
      return null;
    }
    statusLines.pass(chunk);
    return chunk;
  };
}

/** The first characters of the status line of an interim response. HTTP/1.0 has no interim responses. */
const interim = Buffer.from('HTTP/1.1 1');
const cr = 13;
const lf = 10;
const digitZero = 48;
const digitTwo = 50;

/**
 * Changes the status code of each interim response from 100 to 102, in place. The bytes may be split into chunks at
 * any place. Nothing after the status line of the final response is read.
 */
function createStatusLines() {
  /** The number of characters of the current status line that were read. */
  let place = 0;
  let isFinal = false;
  let isHundred = false;
  /** Whether no character of the current header line was read. */
  let isLineEmpty = false;

  function passStatus(chunk: Buffer, at: number): void {
    const byte = chunk[at];
    // Blank lines may come before a status line.
    if (place === 0 && (byte === cr || byte === lf)) return;
    if (place < interim.length) isFinal = byte !== interim[place];
    else if (place === interim.length) isHundred = byte === digitZero;
    else if (isHundred && byte === digitZero) chunk[at] = digitTwo;
    place += 1;
  }

  /** Skips the headers of an interim response. After their blank line comes the next status line. */
  function passHeaders(byte: number | undefined): void {
    if (byte === cr) return;
    const hasEnded = byte === lf && isLineEmpty;
    if (hasEnded) place = 0;
    isLineEmpty = byte === lf && !hasEnded;
  }

  return {
    expect() {
      place = 0;
      isFinal = false;
      isLineEmpty = false;
    },
    pass(chunk: Buffer): void {
      for (let at = 0; at < chunk.length && !isFinal; at += 1) {
        if (place < interim.length + 2) passStatus(chunk, at);
        else passHeaders(chunk[at]);
      }
    },
  };
}
