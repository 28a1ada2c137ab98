import type { Socket } from 'node:net';
import { AttemptError } from './delivery-error.ts';

/** Far more than the largest answer that is read to its end, even if that comes in chunks of one byte. */
const answerBytes = 262_144;

/**
 * Watches what a receiver sends on this connection, for two things that undici does not do itself.
 *
 * It closes the connection when one answer brings more than any answer needs. The sender limits the body and the parser
 * limits the headers. Nothing else limits interim answers, chunk extensions, the reason phrase and blank lines, which
 * may go on for ever. See docs/decisions/delivery.md, "An answer may bring 256 KiB in all".
 *
 * And it lets a receiver say `100 Continue` without a request for it.
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
    // All bytes that were read before the last request was sent belong to earlier answers.
    if (socket.bytesWritten !== written) {
      written = socket.bytesWritten;
      received = 0;
      statusLines.expect();
    }
    received += chunk.length;
    if (received > answerBytes) {
      socket.destroy(new AttemptError('protocol_error'));
      return null;
    }
    statusLines.pass(chunk);
    return chunk;
  };
}

/** The beginning of a status line of an interim answer. HTTP/1.0 has none. */
const interim = Buffer.from('HTTP/1.1 1');
const cr = 13;
const lf = 10;
const digitZero = 48;
const digitTwo = 50;

/**
 * Reads the status lines of an answer and of the interim answers before it, wherever the bytes are split, and changes
 * each status 100 to 102 in place. A final status ends it: after a few bytes there is nothing to do.
 */
function createStatusLines() {
  /** The number of characters of the status line that were read. */
  let place = 0;
  let isFinal = false;
  let isHundred = false;
  /** Whether nothing has come yet in the current line of the headers. */
  let isLineEmpty = false;

  function passStatus(chunk: Buffer, at: number): void {
    const byte = chunk[at];
    // A parser ignores blank lines before a status line.
    if (place === 0 && (byte === cr || byte === lf)) return;
    if (place < interim.length) isFinal = byte !== interim[place];
    else if (place === interim.length) isHundred = byte === digitZero;
    else if (isHundred && byte === digitZero) chunk[at] = digitTwo;
    place += 1;
  }

  /** Ends at the blank line after the headers of an interim answer, which the next status line follows. */
  function passHeaders(byte: number | undefined): void {
    if (byte === cr) return;
    const hasEnded = byte === lf && isLineEmpty;
    if (hasEnded) place = 0;
    // The line that follows is a status line, which may end before any byte comes here.
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
