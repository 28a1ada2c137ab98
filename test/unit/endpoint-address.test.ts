import test from 'ava';
import { isSameAddress } from '../../mock/src/memory/known-endpoint.ts';

const same = [
  ['http://127.0.0.1:4000/webhooks', 'http://localhost:4000/webhooks'],
  ['http://[::1]:4000/webhooks', 'http://localhost:4000/webhooks/'],
  ['http://127.0.0.1', 'http://localhost:80/'],
  ['https://a.example:443/x', 'https://A.example/x'],
] as const;
const different = [
  ['http://localhost:4000/webhooks', 'http://localhost:4001/webhooks'],
  ['http://localhost/a', 'https://localhost/a'],
  ['http://127.0.0.1.evil.example/', 'http://localhost/'],
  ['http://localhost/a?b=1', 'http://localhost/a'],
  ['nowhere', 'http://nowhere/'],
] as const;

test('two URLs count as the same address if they differ only in names of this machine, a default port or a slash at the end', (t) => {
  for (const [one, other] of same) t.true(isSameAddress(one, other), one);
  for (const [one, other] of different) t.false(isSameAddress(one, other), one);
});
