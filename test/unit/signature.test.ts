import { readSigningKey, serviceSignature, standardSignature } from '@tillhook/server/src/delivery/signature.ts';
import test from 'ava';
import { vectors } from '../support/signature-vectors.ts';

test('there are vectors to hold the signer to', (t) => {
  t.true(vectors.length >= 5);
});

for (const { title, secret, id, timestamp, body, expected } of vectors) {
  test(`signs ${title} as the vector says`, (t) => {
    const bytes = Buffer.from(body);
    const key = readSigningKey(secret);

    t.is(serviceSignature(bytes, key), expected['X-Service-Signature']);
    t.is(standardSignature({ id, timestamp, body: bytes }, key), expected['webhook-signature']);
  });
}

test('signs the bytes, whatever they are', (t) => {
  const key = readSigningKey('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw');

  t.not(serviceSignature(Buffer.from([0xff]), key), serviceSignature(Buffer.from([0xfe]), key));
});
