import type { Socket } from 'node:net';
import { AttemptError } from './delivery-error.ts';

/** This maximum is far larger than any answer that is read to its end, even an answer in chunks of one byte. */
const maxAnswerBytes = 262_144;

/**
 * Limits all bytes of an answer, because nothing else limits interim responses, chunk extensions and blank lines.
 * See docs/decisions/delivery.md, "An answer may have 256 KiB in all".
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
    // After a new request, the bytes on this connection belong to a new answer.
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

/** The beginning of an interim response's status line. HTTP/1.0 has no interim responses. */
const interim = Buffer.from('HTTP/1.1 1');
const cr = 13;
const lf = 10;
const digitZero = 48;
const digitTwo = 50;

/** Changes status 100 to 102 in place, even if chunks split it. Reads nothing after the final status line. */
function createStatusLines() {
  let place = 0;
  let isFinal = false;
  let isHundred = false;
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
