import type { Socket } from 'node:net';
import { AttemptError } from './delivery-error.ts';

/** Far above all that the largest answer that is read to its end can weigh, in chunks of one byte even. */
const answerBytes = 262_144;

/**
 * Cuts a receiver that sends more than any answer takes. The sender counts the body and the parser the headers, but neither
 * counts interim answers, chunk extensions, a reason phrase or blank lines, which may all go on for ever.
 * See docs/decisions/delivery.md, "An answer may bring 256 KiB in all".
 */
export function limitAnswer(socket: Socket): void {
  let written = 0;
  let readBefore = 0;
  let read = 0;
  socket.on('readable', () => {
    // Whatever was read before the last request was sent belongs to earlier answers.
    if (socket.bytesWritten !== written) {
      written = socket.bytesWritten;
      readBefore = read;
    }
    read = socket.bytesRead;
    if (read - readBefore > answerBytes) socket.destroy(new AttemptError('protocol_error'));
  });
}
