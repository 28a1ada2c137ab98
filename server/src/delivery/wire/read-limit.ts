import type { Socket } from 'node:net';
import { AttemptError } from './delivery-error.ts';

/** Far more than the largest answer that is read to its end, even if that comes in chunks of one byte. */
const answerBytes = 262_144;

/**
 * Closes the connection to a receiver that sends more than any answer needs. The sender limits the body and the parser
 * limits the headers. Nothing else limits interim answers, chunk extensions, the reason phrase and blank lines, which
 * may go on for ever.
 * See docs/decisions/delivery.md, "An answer may bring 256 KiB in all".
 */
export function limitAnswer(socket: Socket): void {
  let written = 0;
  let readBefore = 0;
  let read = 0;
  socket.on('readable', () => {
    // All bytes that were read before the last request was sent belong to earlier answers.
    if (socket.bytesWritten !== written) {
      written = socket.bytesWritten;
      readBefore = read;
    }
    read = socket.bytesRead;
    if (read - readBefore > answerBytes) socket.destroy(new AttemptError('protocol_error'));
  });
}
