import { hashApiKey, looksLikeApiKey, newApiKey } from '@tillhook/server/src/people/keys/api-key.ts';
import test from 'ava';

test('a key contains its mode and its checksum', (t) => {
  t.regex(newApiKey('test'), /^sk_test_[0-9A-Za-z]{38}$/);
  t.regex(newApiKey('live'), /^sk_live_[0-9A-Za-z]{38}$/);
  t.true(looksLikeApiKey(newApiKey('test')));
});

test('a key with one changed character is not accepted', (t) => {
  const key = newApiKey('test');

  for (let at = 0; at < key.length; at++) {
    const changed = key.slice(0, at) + (key[at] === 'x' ? 'y' : 'x') + key.slice(at + 1);
    t.false(looksLikeApiKey(changed), changed);
  }
});

test('keys are unique, and a hash does not contain its key', (t) => {
  const keys = Array.from({ length: 100 }, () => newApiKey('test'));

  t.is(new Set(keys).size, 100);
  t.is(hashApiKey(keys[0] ?? '').length, 32);
});
