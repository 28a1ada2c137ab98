import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { watchAnswers } from '@tillhook/server/src/wire/answer-bytes.ts';
import test from 'ava';

function connect() {
  let bytesWritten = 0;
  const stream = new Duplex({ read() {}, write: (_chunk, _encoding, done) => done() });
  const socket = Object.defineProperty(stream, 'bytesWritten', { get: () => bytesWritten }) as Socket;
  watchAnswers(socket);
  return {
    ask: () => void bytesWritten++,
    answer(...pieces: string[]): string {
      const read = (piece: string) => {
        stream.push(piece);
        return String(stream.read() ?? '');
      };
      return pieces.map(read).join('');
    },
  };
}

const early = 'HTTP/1.1 103 Early Hints\r\nLink: </100>\r\n\r\n';
const noReason = 'HTTP/1.1 103\r\nLink: </100>\r\n\r\n';
const final = 'HTTP/1.1 200 OK\r\nContent-Length: 12\r\n\r\nHTTP/1.1 100';
const status = (code: number) => `HTTP/1.1 ${code} Continue\r\nX-Status: HTTP/1.1 100\r\n\r\n`;

test('each status 100 before the final status becomes 102, wherever the bytes are split, and no other byte changes', (t) => {
  const sent = `${status(100)}${early}\r\n${noReason}${status(100)}${final}`;
  const read = `${status(102)}${early}\r\n${noReason}${status(102)}${final}`;
  const places = Array.from(sent, (_, place) => place);
  t.true(places.length > 180);

  for (const place of places) {
    const { ask, answer } = connect();
    ask();
    t.is(answer(sent.slice(0, place + 1), sent.slice(place + 1)), read, `after ${place + 1} bytes`);
  }

  const { ask, answer } = connect();
  ask();
  t.is(answer(...sent), read);
});

test('every other status, such as 101 and 200, stays unchanged', (t) => {
  for (const code of [101, 102, 103, 104, 110, 199, 200, 300]) {
    const { ask, answer } = connect();
    ask();
    t.is(answer(status(code)), status(code));
  }
});

test('the answer to the next request on the connection may also begin with status 100', (t) => {
  const { ask, answer } = connect();
  for (let request = 0; request < 3; request++) {
    ask();
    t.is(answer(status(100), final), status(102) + final);
  }
});
