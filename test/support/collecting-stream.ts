import { Writable } from 'node:stream';

/** `take` returns the text that was written since the last `take`. */
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
