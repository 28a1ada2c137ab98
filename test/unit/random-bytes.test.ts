import { randomBytes } from '@tillhook/server/src/kit/random-bytes.ts';
import test from 'ava';

test('randomBytes returns no byte twice from its buffer, whatever the requested lengths', (t) => {
  const given = Array.from({ length: 5000 }, (_, index) => randomBytes(12 + (index % 21)));

  t.is(new Set(given.map((bytes) => bytes.toString('hex'))).size, given.length);
  // Bytes that were not filled again would be zeros, and bytes in a shared buffer would change with the next call.
  t.true(given.every((bytes) => bytes.some((byte) => byte !== 0)));
  t.true(given.every((bytes, index) => bytes.length === 12 + (index % 21)));
});
