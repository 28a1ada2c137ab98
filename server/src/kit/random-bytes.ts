import { randomFillSync } from 'node:crypto';

/** Read from the system at once, because each payment needs several small numbers, and each read takes longer than its bytes. */
const store = Buffer.alloc(4096);
let used = store.length;

/** At most 4,096 random bytes that cannot be guessed, for ids and nonces. None is given out twice, and none is kept here. */
export function randomBytes(length: number): Buffer {
  if (used + length > store.length) {
    randomFillSync(store);
    used = 0;
  }
  const taken = store.subarray(used, used + length);
  const bytes = Buffer.from(taken);
  taken.fill(0);
  used += length;
  return bytes;
}
