import { randomFillSync } from 'node:crypto';

/**
 * A payment needs several short random values, and reading a few bytes from the operating system takes almost as long
 * as reading 4,096 bytes. Each byte is returned once, and then erased in the store.
 */
const store = Buffer.alloc(4096);
let used = store.length;

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
