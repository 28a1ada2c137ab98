import { randomBytes } from 'node:crypto';
import { createSealer } from '@tillhook/server/src/kit/seal.ts';
import test from 'ava';

const [older, newer] = ['older', 'newer'].map((id) => ({ id, key: randomBytes(32) }));
if (!older || !newer) throw new Error('The test needs two keys, but at least one is missing.');

test('the sealer opens what it sealed', (t) => {
  const sealer = createSealer([newer]);

  t.is(sealer.open(sealer.seal('whsec_ä', 'owner'), 'owner'), 'whsec_ä');
});

test('the sealer seals the same text differently each time, and the result does not contain the text', (t) => {
  const sealer = createSealer([newer]);
  const [one, other] = [sealer.seal('whsec_secret', 'owner'), sealer.seal('whsec_secret', 'owner')];

  t.not(one, other);
  t.notRegex(one + Buffer.from(one, 'base64').toString('latin1'), /secret/);
});

test('the sealer does not open a value that was sealed for another owner', (t) => {
  const sealer = createSealer([newer]);

  t.throws(() => sealer.open(sealer.seal('whsec_secret', 'owner'), 'thief'));
});

test('the sealer does not open a value that was changed', (t) => {
  const sealer = createSealer([newer]);
  const [version, id, payload = ''] = sealer.seal('whsec_secret', 'owner').split('.');
  const bytes = Buffer.from(payload, 'base64');
  bytes[20] = (bytes[20] ?? 0) ^ 1;

  t.throws(() => sealer.open(`${version}.${id}.${bytes.toString('base64')}`, 'owner'));
});

// By default, Node accepts short authentication tags. An attacker can guess a tag of four bytes in about 2 ** 32
// attempts.
for (const length of [4, 8, 12, 13, 14, 15]) {
  test(`the sealer refuses ${length} bytes, which are too few for a complete authentication tag, before any comparison`, (t) => {
    const sealer = createSealer([newer]);
    const [version, id, payload = ''] = sealer.seal('whsec_secret', 'owner').split('.');
    const cut = Buffer.from(payload, 'base64').subarray(0, length).toString('base64');

    t.throws(() => sealer.open(`${version}.${id}.${cut}`, 'owner'), { code: 'ERR_CRYPTO_INVALID_AUTH_TAG' });
  });
}

test('the sealer does not open a value with a shortened authentication tag', (t) => {
  const sealer = createSealer([newer]);
  const [version, id, payload = ''] = sealer.seal('whsec_secret', 'owner').split('.');
  const bytes = Buffer.from(payload, 'base64');

  for (let lost = 1; lost <= 16; lost += 1) {
    const cut = bytes.subarray(0, -lost).toString('base64');
    t.throws(() => sealer.open(`${version}.${id}.${cut}`, 'owner'), undefined, `${lost} bytes`);
  }
});

test('the first key seals and every key opens, so that keys can be replaced', (t) => {
  const before = createSealer([older]).seal('whsec_secret', 'owner');
  const during = createSealer([newer, older]);

  t.is(during.open(before, 'owner'), 'whsec_secret');
  t.is(createSealer([newer]).open(during.seal('whsec_secret', 'owner'), 'owner'), 'whsec_secret');
  t.throws(() => createSealer([newer]).open(before, 'owner'));
});
