import { randomBytes } from '@tillhook/server/src/kit/random-bytes.ts';
import test from 'ava';

test('no byte is given out twice, whatever the lengths', (t) => {
  const given = Array.from({ length: 5000 }, (_, index) => randomBytes(12 + (index % 21)));

  t.is(new Set(given.map((bytes) => bytes.toString('hex'))).size, given.length);
  // A place that was not filled again would be zeros, and one that is shared would change with the next.
  t.true(given.every((bytes) => bytes.some((byte) => byte !== 0)));
  t.true(given.every((bytes, index) => bytes.length === 12 + (index % 21)));
});
