import type { Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import type { AnswerByHand } from './raw-receiver.ts';

const ok = 'HTTP/1.1 200 OK\r\n';
const gibibyte = 1024 ** 3;

export const neverAnswers: AnswerByHand = () => {};

export const dripsHeaders: AnswerByHand = (socket) => drip(socket, `${ok}Content-Length: 0\r\n\r\n`);

export const dripsBody: AnswerByHand = (socket) => {
  socket.write(`${ok}Content-Length: 100\r\n\r\n`);
  drip(socket, 'a'.repeat(100));
};

export const resetsWithoutAByte: AnswerByHand = (socket) => {
  socket.resetAndDestroy();
};

export const closesInHeaders: AnswerByHand = (socket) => socket.end('HTTP/1.1 200 O');

export const closesInBody: AnswerByHand = (socket) => socket.end(`${ok}Content-Length: 100\r\n\r\nhalf`);

export const closesInChunks: AnswerByHand = (socket) =>
  socket.end(`${ok}Transfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n`);

export const closesInHeadersOfError: AnswerByHand = (socket) => socket.end('HTTP/1.1 500 O');

export const closesInBodyOfError: AnswerByHand = (socket) =>
  socket.end('HTTP/1.1 503 Busy\r\nContent-Length: 100\r\nRetry-After: 1\r\n\r\nhalf');

export const breaksChunks: AnswerByHand = (socket) =>
  socket.write(`${ok}Transfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\nno size\r\n`);

export const sendsMoreThanLength: AnswerByHand = (socket) =>
  socket.write(`${ok}Content-Length: 4\r\n\r\nhalf and more`);

export const sendsLargeHeaders: AnswerByHand = (socket) =>
  socket.write(`${ok}Content-Length: 0\r\n${`X-Policy: ${'a'.repeat(1000)}\r\n`.repeat(60)}\r\n`);

/** After an immediate reset, the operating system of the sender might drop the bytes that arrived before the reset. */
export const resetsInBody: AnswerByHand = (socket) => {
  socket.write(`${ok}Content-Length: 100\r\n\r\nhalf`);
  setTimeout(() => socket.resetAndDestroy(), 100);
};

export const sendsGibibyte: AnswerByHand = (socket) => {
  socket.write(`${ok}Content-Length: ${gibibyte}\r\n\r\n`);
  repeat(socket, 'a'.repeat(65_536), gibibyte / 65_536);
};

export const sendsGzipBomb: AnswerByHand = (socket) => {
  const bomb = gzipSync(Buffer.alloc(10_000_000));
  socket.write(`${ok}Content-Encoding: gzip\r\nContent-Length: ${bomb.length}\r\n\r\n`);
  socket.write(bomb);
};

export const endlessHeaders: AnswerByHand = (socket) => {
  socket.write(ok);
  repeat(socket, `X-More: ${'a'.repeat(1000)}\r\n`);
};

export const endlessHeader: AnswerByHand = (socket) => {
  socket.write(`${ok}X-More: `);
  repeat(socket, 'a'.repeat(1000));
};

export const endlessReason: AnswerByHand = (socket) => {
  socket.write('HTTP/1.1 200 ');
  repeat(socket, 'very '.repeat(200));
};

export const endlessBlankLines: AnswerByHand = (socket) => repeat(socket, '\r\n'.repeat(500));

export const endlessChunkExtension: AnswerByHand = (socket) => {
  socket.write(`${ok}Transfer-Encoding: chunked\r\n\r\n1;`);
  repeat(socket, 'a'.repeat(1000));
};

export const endlessTrailers: AnswerByHand = (socket) => {
  socket.write(`${ok}Transfer-Encoding: chunked\r\n\r\n0\r\n`);
  repeat(socket, `X-More: ${'a'.repeat(1000)}\r\n`);
};

export const continuesForever: AnswerByHand = (socket) => repeat(socket, 'HTTP/1.1 100 Continue\r\n\r\n'.repeat(50));

const continueHead = 'HTTP/1.1 100 Continue\r\n';
const answerOk = `${ok}Content-Length: 2\r\n\r\nok`;

export const continues: AnswerByHand = (socket) => socket.write(`${continueHead}\r\n${answerOk}`);

export const continuesOften: AnswerByHand = (socket) =>
  socket.write(
    `${continueHead}\r\n${continueHead}Server: Microsoft-IIS/10.0\r\nX-Number: 100\r\n\r\n` +
      `HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n${continueHead}\r\n${answerOk}`,
  );

export const continuesByteByByte: AnswerByHand = (socket) => {
  socket.setNoDelay();
  for (const byte of `${continueHead}\r\n${answerOk}`) setImmediate(() => socket.write(byte));
};

export const processes: AnswerByHand = (socket) => socket.write(`HTTP/1.1 102 Processing\r\n\r\n${answerOk}`);

export const continuesToAnError: AnswerByHand = (socket) =>
  socket.write(`${continueHead}\r\nHTTP/1.1 417 Expectation Failed\r\nContent-Length: 0\r\n\r\n`);

export const hintsForever: AnswerByHand = (socket) =>
  repeat(socket, 'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n'.repeat(50));

export const redirects: AnswerByHand = (socket) =>
  socket.write('HTTP/1.1 307 Temporary Redirect\r\nLocation: /webhooks\r\nContent-Length: 0\r\n\r\n');

export const switchesProtocol: AnswerByHand = (socket) =>
  socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n');

export const answersNoStatus: AnswerByHand = (socket) => socket.write('HTTP/1.1 042 Why Not\r\n\r\n');

/** Sends a response of HTTP/0.9, which has neither a status nor headers. */
export const speaksHttp09: AnswerByHand = (socket) => socket.end('<html>Hello from 1991.</html>\r\n');

export const answersTwice: AnswerByHand = (socket) =>
  socket.write(`${ok}Content-Length: 2\r\n\r\nokHTTP/1.1 500 Oops\r\nContent-Length: 0\r\n\r\n`);

export const answersOk: AnswerByHand = (socket) => socket.write(answerOk);

export const dropsSecondRequest: AnswerByHand = (socket, index) =>
  index === 1 ? socket.resetAndDestroy() : answersOk(socket, index);

/** Sends one byte every quarter of a second, too slowly for the time limit of an attempt. */
function drip(socket: Socket, text: string): void {
  const bytes = [...text];
  const timer = setInterval(() => socket.write(bytes.shift() ?? ''), 250);
  socket.on('close', () => clearInterval(timer));
}

function repeat(socket: Socket, piece: string, times = Number.POSITIVE_INFINITY): void {
  let left = times;
  const more = () => {
    while (left-- > 0 && !socket.destroyed) if (!socket.write(piece)) return;
  };
  socket.on('drain', more);
  more();
}
