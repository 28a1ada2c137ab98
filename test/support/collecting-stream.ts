import { Writable } from 'node:stream';

/** A stream that keeps what is written to it. `take` returns what came since the last call. */
export function collectingStream(properties: object = {}) {
  let text = '';
  const stream = new Writable({
    decodeStrings: false,
    write(part: string, _encoding, done) {
      text += part;
      done();
    },
  });
  return {
    stream: Object.assign(stream, properties),
    take() {
      const taken = text;
      text = '';
      return taken;
    },
  };
}
